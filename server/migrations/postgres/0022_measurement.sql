-- What happens after an advertiser's clicks and impressions. Windows are those in which a postback counts.
ALTER TABLE campaigns ADD COLUMN click_link text NOT NULL DEFAULT '';
ALTER TABLE campaigns ADD COLUMN view_link text NOT NULL DEFAULT '';
ALTER TABLE campaigns ADD COLUMN conversion_event text NOT NULL DEFAULT 'install';
ALTER TABLE campaigns ADD COLUMN click_window smallint NOT NULL DEFAULT 7 CHECK (click_window BETWEEN 1 AND 30);
ALTER TABLE campaigns ADD COLUMN view_window smallint NOT NULL DEFAULT 24 CHECK (view_window BETWEEN 1 AND 24);

-- An advertiser's address for postbacks, and the sealed secret with which they are signed.
CREATE TABLE postback_keys (
    account_id integer PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    secret bytea NOT NULL,
    secret_since timestamptz NOT NULL
);

-- Counted conversions: one for each event of an ad. Kept for as long as a postback for the ad could come.
CREATE TABLE conversions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id integer NOT NULL REFERENCES campaigns ON DELETE CASCADE,
    creative_id integer NOT NULL,
    app_id integer NOT NULL,
    -- The ad's own id, which its click and its impression share.
    ad text NOT NULL,
    event text NOT NULL,
    transaction_id text NOT NULL DEFAULT '',
    kind text NOT NULL CHECK (kind IN ('click', 'view')),
    -- The event is the one that the campaign counts.
    is_goal boolean NOT NULL,
    ad_at timestamptz NOT NULL,
    at timestamptz NOT NULL,
    format text NOT NULL,
    country text NOT NULL,
    platform text NOT NULL,
    arm text NOT NULL,
    demo boolean NOT NULL,
    -- Its row for the statistics is durable.
    is_stored boolean NOT NULL DEFAULT false,
    UNIQUE (ad, event, transaction_id)
);
CREATE INDEX conversions_ad_at ON conversions (ad_at);
CREATE INDEX conversions_campaign ON conversions (campaign_id);

-- The latest postbacks, for the advertiser to look at, and all of them by day and outcome. Campaign 0 is none of the account's.
CREATE TABLE postbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    campaign_id integer NOT NULL,
    at timestamptz NOT NULL,
    event text NOT NULL,
    transaction_id text NOT NULL,
    kind text,
    outcome text NOT NULL,
    is_test boolean NOT NULL
);
CREATE INDEX postbacks_account ON postbacks (account_id, id);
CREATE INDEX postbacks_at ON postbacks (at);
CREATE TABLE postback_counts (
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    campaign_id integer NOT NULL,
    day date NOT NULL,
    outcome text NOT NULL,
    postbacks bigint NOT NULL,
    PRIMARY KEY (account_id, campaign_id, day, outcome)
);
