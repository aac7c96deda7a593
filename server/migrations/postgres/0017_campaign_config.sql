-- The exchange reads campaigns as it reads apps: a change of a campaign or of one of its creatives is a change of that campaign.
ALTER TABLE config_versions DROP CONSTRAINT config_versions_kind_check;
ALTER TABLE config_versions ADD CONSTRAINT config_versions_kind_check
    CHECK (kind IN ('all', 'app', 'partner', 'campaign'));

DO $$
DECLARE
    source record;
BEGIN
    FOR source IN SELECT * FROM (VALUES ('campaigns', 'id'), ('creatives', 'campaign_id')) AS sources (relation, id_column)
    LOOP
        EXECUTE format('CREATE TRIGGER %1$s_inserted AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(''campaign'', %2$L)', source.relation, source.id_column);
        EXECUTE format('CREATE TRIGGER %1$s_updated AFTER UPDATE ON %1$I REFERENCING NEW TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(''campaign'', %2$L)', source.relation, source.id_column);
        EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(''campaign'', %2$L)', source.relation, source.id_column);
        EXECUTE format('CREATE TRIGGER %1$s_truncated AFTER TRUNCATE ON %1$I
            FOR EACH STATEMENT EXECUTE FUNCTION config_truncated()', source.relation);
    END LOOP;
END $$;

-- The demo's campaigns buy in the demo's apps only, and a deleted account's buy nothing.
CREATE OR REPLACE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(SELECT id::text FROM apps WHERE account_id = NEW.id));
    PERFORM bump_config('campaign', ARRAY(SELECT id::text FROM campaigns WHERE account_id = NEW.id));
    RETURN NULL;
END $$;
DROP TRIGGER accounts_updated ON accounts;
CREATE TRIGGER accounts_updated AFTER UPDATE OF demo, deleted_at ON accounts
    FOR EACH ROW EXECUTE FUNCTION accounts_changed();

-- Campaigns' ads are counted under this name.
ALTER TABLE partners ADD CONSTRAINT partners_id_is_free CHECK (id !~ '^campaigns?(-|$)') NOT VALID;
