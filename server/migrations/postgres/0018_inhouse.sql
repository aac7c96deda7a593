-- In-house campaigns: ads of a publisher's apps in their other apps, free of charge. Amounts are micro-dollars.
CREATE TABLE inhouse_campaigns (
    -- Shared with the advertisers' campaigns, so that a number in statistics means one campaign.
    id integer PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('campaigns', 'id')),
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    title text NOT NULL,
    description text NOT NULL,
    -- The promoted app, and the apps that show it; all of them the account's.
    ad_app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    app_ids integer[] NOT NULL,
    -- The CPM at which it competes with bids; 0 to fill what nobody bought. Nobody pays it.
    price_micros bigint NOT NULL CHECK (price_micros >= 0),
    geo_type text NOT NULL CHECK (geo_type IN ('in', 'not_in')),
    countries text[] NOT NULL,
    -- {all, min, max}: major versions.
    ios jsonb NOT NULL,
    android jsonb NOT NULL,
    format text NOT NULL CHECK (format IN ('image', 'video', 'reward')),
    target_url text NOT NULL,
    store_id text NOT NULL,
    store_country text NOT NULL,
    -- Deleted campaigns lose their files in the end.
    landscape_id bigint REFERENCES uploads ON DELETE SET NULL,
    portrait_id bigint REFERENCES uploads ON DELETE SET NULL,
    video_id bigint REFERENCES uploads ON DELETE SET NULL,
    video_orientation text NOT NULL CHECK (video_orientation IN ('all', 'portrait', 'landscape')),
    -- Seconds after which a video can be skipped; 0 for never.
    skip_timer smallint NOT NULL,
    interstitial_waterfall boolean NOT NULL,
    -- The owner's switch.
    frozen boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR landscape_id IS NOT NULL OR portrait_id IS NOT NULL)
);
CREATE INDEX inhouse_campaigns_account ON inhouse_campaigns (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX inhouse_campaigns_ad_app ON inhouse_campaigns (ad_app_id) WHERE deleted_at IS NULL;
CREATE INDEX inhouse_campaigns_landscape ON inhouse_campaigns (landscape_id);
CREATE INDEX inhouse_campaigns_portrait ON inhouse_campaigns (portrait_id);
CREATE INDEX inhouse_campaigns_video ON inhouse_campaigns (video_id);
