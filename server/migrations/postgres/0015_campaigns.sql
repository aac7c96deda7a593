-- Advertisers' campaigns. Amounts are micro-dollars; dates, days and hours are UTC.
CREATE TABLE campaigns (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    -- The advertised app, and its picture in its store if that is known.
    bundle_id text NOT NULL,
    store_id text NOT NULL,
    app_platform text NOT NULL CHECK (app_platform IN ('ios', 'android')),
    site text NOT NULL DEFAULT '',
    logo_url text,
    format text NOT NULL CHECK (format IN ('image', 'banner')),
    -- The most that it spends in all; 0 for no limit.
    budget_micros bigint NOT NULL CHECK (budget_micros >= 0),
    bid_micros bigint NOT NULL CHECK (bid_micros > 0),
    -- The most that it spends on a UTC day.
    daily_micros bigint NOT NULL CHECK (daily_micros > 0),
    starts_at timestamptz NOT NULL,
    -- Null for no end.
    ends_at timestamptz CHECK (ends_at > starts_at),
    -- Days of the week as in ISO 8601: Monday is 1.
    days smallint[] NOT NULL,
    -- From the first minute to the end of the last one, as hh:mm.
    active_from text NOT NULL,
    active_to text NOT NULL,
    network text NOT NULL CHECK (network IN ('any', 'wifi')),
    geo_type text NOT NULL CHECK (geo_type IN ('in', 'not_in')),
    countries text[] NOT NULL,
    platforms text[] NOT NULL,
    -- {all, min, max}: major versions.
    ios jsonb NOT NULL,
    android jsonb NOT NULL,
    -- Frequency caps: [{impressions, period, per}].
    caps jsonb NOT NULL,
    -- The owner's switch.
    frozen boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
);
CREATE INDEX campaigns_account ON campaigns (account_id, id) WHERE deleted_at IS NULL;

-- Images that an account has uploaded. The file is named by the hash of its content, so accounts may share one.
CREATE TABLE uploads (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    file text NOT NULL,
    bytes integer NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    created_at timestamptz NOT NULL,
    -- When it was last uploaded, or saved with a creative. Files that nothing uses are deleted after a while.
    used_at timestamptz NOT NULL,
    UNIQUE (account_id, file)
);
CREATE INDEX uploads_file ON uploads (file);
CREATE INDEX uploads_used ON uploads (used_at);

CREATE TABLE creatives (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    campaign_id integer NOT NULL REFERENCES campaigns ON DELETE CASCADE,
    format text NOT NULL CHECK (format IN ('image', 'banner')),
    store_id text NOT NULL,
    cta text NOT NULL DEFAULT '',
    click_url text NOT NULL,
    tracking_url text NOT NULL DEFAULT '',
    -- Deleted creatives lose their file in the end.
    upload_id bigint REFERENCES uploads ON DELETE SET NULL,
    moderation text NOT NULL CHECK (moderation IN ('new', 'edited', 'approved', 'blocked')),
    -- Why it was blocked, or what the moderator wrote with the approval.
    moderation_reason text,
    moderated_at timestamptz,
    -- When it was last put before a moderator.
    waiting_since timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR upload_id IS NOT NULL)
);
CREATE INDEX creatives_campaign ON creatives (campaign_id, id) WHERE deleted_at IS NULL;
CREATE INDEX creatives_upload ON creatives (upload_id);
CREATE INDEX creatives_waiting ON creatives (waiting_since)
    WHERE moderation IN ('new', 'edited') AND deleted_at IS NULL;
