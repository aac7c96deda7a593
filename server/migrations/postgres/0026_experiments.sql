-- How a campaign's creatives are rotated, and the share of impressions, in percent, that stays even while it learns.
ALTER TABLE campaigns ADD COLUMN rotation text NOT NULL DEFAULT 'even' CHECK (rotation IN ('even', 'learn'));
ALTER TABLE campaigns ADD COLUMN hold_out smallint NOT NULL DEFAULT 20 CHECK (hold_out BETWEEN 5 AND 50);

-- A campaign's number in Apple's attribution: from 1 to 99, so that it fits the two digits that every postback has. It is unique for the
-- advertised app, and free again 60 days after its campaign was deleted, when no postback can come any more.
ALTER TABLE campaigns ADD COLUMN apple_number smallint CHECK (apple_number BETWEEN 1 AND 99);
CREATE FUNCTION choose_apple_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.store_id = OLD.store_id AND NEW.app_platform = OLD.app_platform THEN
        RETURN NEW;
    END IF;
    NEW.apple_number := NULL;
    IF NEW.app_platform = 'ios' THEN
        PERFORM pg_advisory_xact_lock(hashtext('apple_number ' || NEW.store_id));
        SELECT min(n) INTO NEW.apple_number FROM generate_series(1, 99) AS n
        WHERE NOT EXISTS (
            SELECT FROM campaigns c
            WHERE c.store_id = NEW.store_id AND c.app_platform = 'ios' AND c.apple_number = n AND c.id != NEW.id
                AND (c.deleted_at IS NULL OR c.deleted_at > now() - interval '60 days'));
    END IF;
    RETURN NEW;
END $$;
UPDATE campaigns c SET apple_number = numbered.nth FROM (
    SELECT id, row_number() OVER (PARTITION BY store_id ORDER BY id) AS nth FROM campaigns WHERE app_platform = 'ios'
) AS numbered WHERE numbered.id = c.id AND numbered.nth <= 99;
CREATE TRIGGER campaigns_apple_number BEFORE INSERT OR UPDATE OF store_id, app_platform ON campaigns
    FOR EACH ROW EXECUTE FUNCTION choose_apple_number();
CREATE INDEX campaigns_apple ON campaigns (store_id, apple_number) WHERE apple_number IS NOT NULL;

-- Postbacks of SKAdNetwork and AdAttributionKit with Apple's signature, each once.
CREATE TABLE apple_postbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id integer NOT NULL REFERENCES campaigns ON DELETE CASCADE,
    protocol text NOT NULL CHECK (protocol IN ('skadnetwork', 'adattributionkit')),
    version text NOT NULL,
    transaction_id text NOT NULL,
    -- The conversion window: 0 for the first.
    sequence smallint NOT NULL,
    at timestamptz NOT NULL,
    did_win boolean NOT NULL,
    -- download, redownload or re-engagement.
    conversion text NOT NULL,
    -- What Apple does not sign: anybody on the way could have changed it.
    fine_value smallint,
    coarse_value text CHECK (coarse_value IN ('low', 'medium', 'high')),
    -- Made by a development key: shown, and in no figure.
    is_test boolean NOT NULL,
    UNIQUE (protocol, transaction_id, sequence)
);
CREATE INDEX apple_postbacks_campaign ON apple_postbacks (campaign_id, at);
