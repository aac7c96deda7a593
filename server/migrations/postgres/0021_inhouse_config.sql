-- The exchange reads in-house campaigns as it reads advertisers' ones, whose ids are of the same sequence.
CREATE TRIGGER inhouse_campaigns_inserted AFTER INSERT ON inhouse_campaigns REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('campaign', 'id');
CREATE TRIGGER inhouse_campaigns_updated AFTER UPDATE ON inhouse_campaigns REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('campaign', 'id');
CREATE TRIGGER inhouse_campaigns_deleted AFTER DELETE ON inhouse_campaigns REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed('campaign', 'id');
CREATE TRIGGER inhouse_campaigns_truncated AFTER TRUNCATE ON inhouse_campaigns
    FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();

-- A campaign stops with the app that it promotes.
CREATE OR REPLACE FUNCTION apps_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(
        SELECT n.id::text FROM changed_rows n JOIN former_rows f USING (id)
        WHERE to_jsonb(n) - ARRAY['sdk_version', 'sdk_seen_at'] <> to_jsonb(f) - ARRAY['sdk_version', 'sdk_seen_at']));
    PERFORM bump_config('campaign', ARRAY(
        SELECT c.id::text FROM changed_rows n JOIN former_rows f USING (id) JOIN inhouse_campaigns c ON c.ad_app_id = n.id
        WHERE (n.deleted_at, n.moderation) IS DISTINCT FROM (f.deleted_at, f.moderation)));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(SELECT id::text FROM apps WHERE account_id = NEW.id));
    PERFORM bump_config('campaign', ARRAY(
        SELECT id::text FROM campaigns WHERE account_id = NEW.id
        UNION ALL SELECT id::text FROM inhouse_campaigns WHERE account_id = NEW.id));
    RETURN NULL;
END $$;

-- In-house ads are counted under this name.
ALTER TABLE partners ADD CONSTRAINT partners_id_is_not_inhouse CHECK (id !~ '^inhouse(-|$)') NOT VALID;
