CREATE TABLE apps (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Public: names the app in addresses and is the key its SDK starts with.
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    account_id integer NOT NULL REFERENCES accounts,
    name text NOT NULL,
    bundle_id text NOT NULL,
    platform text NOT NULL,
    url text,
    logo_url text,
    in_dev boolean NOT NULL DEFAULT false,
    -- Whether the platform lets the app serve: check (being moderated), live, banned.
    moderation text NOT NULL DEFAULT 'live' CHECK (moderation IN ('check', 'live', 'banned')),
    -- The newest SDK version seen, and when; null until the first init.
    sdk_version text,
    sdk_seen_at timestamptz,
    -- Directed at children: requests carry COPPA and no device ids.
    kids boolean NOT NULL DEFAULT false,
    blocked_categories text[] NOT NULL DEFAULT '{}',
    blocked_domains text[] NOT NULL DEFAULT '{}',
    demo boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
);
CREATE INDEX apps_account ON apps (account_id) WHERE deleted_at IS NULL;
CREATE INDEX apps_bundle ON apps (bundle_id) WHERE deleted_at IS NULL;

-- Registered at its first request; `zone` is what the app's code says, `name` what people read.
CREATE TABLE zones (
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    zone text NOT NULL,
    name text NOT NULL,
    format text NOT NULL,
    refresh_seconds integer NOT NULL DEFAULT 30 CHECK (refresh_seconds BETWEEN 5 AND 3600),
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, zone)
);

-- The lowest price at which an impression is sold; null country or format means every.
CREATE TABLE floors (
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    country text,
    format text,
    floor_micros bigint NOT NULL CHECK (floor_micros >= 0),
    UNIQUE NULLS NOT DISTINCT (app_id, country, format)
);
