-- Which transaction last changed each thing that the exchange decides by. Transactions commit in another order than they
-- begin, so a counter would let a reader miss one: the exchange asks for the rows of all transactions that had not ended when
-- it last looked.
CREATE TABLE config_versions (
    -- 'all': a change that names no rows; everything is read again.
    kind text NOT NULL CHECK (kind IN ('all', 'app', 'partner')),
    -- Outlives the row it names: a deletion is a change too.
    id text NOT NULL,
    xid xid8 NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX config_versions_xid ON config_versions (xid);

DROP TRIGGER apps_changed ON apps;
DROP TRIGGER zones_changed ON zones;
DROP TRIGGER floors_changed ON floors;
DROP TRIGGER partners_changed ON partners;
DROP TRIGGER partner_keys_changed ON partner_keys;
DROP FUNCTION config_changed();

CREATE FUNCTION bump_config(of_kind text, ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- In one order, so that two writers of the same rows wait for each other and do not deadlock.
    INSERT INTO config_versions (kind, id, xid)
    SELECT DISTINCT of_kind, id, pg_current_xact_id() FROM unnest(ids) AS id ORDER BY id
    ON CONFLICT (kind, id) DO UPDATE SET xid = excluded.xid WHERE config_versions.xid <> excluded.xid;
    -- One wake-up for each transaction; the table says what has changed.
    PERFORM pg_notify('config_changed', '') WHERE cardinality(ids) > 0;
END $$;

-- Arguments: the kind, and the column that holds its id.
CREATE FUNCTION config_rows_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ids text[];
BEGIN
    EXECUTE format('SELECT ARRAY(SELECT %I::text FROM changed_rows)', TG_ARGV[1]) INTO ids;
    PERFORM bump_config(TG_ARGV[0], ids);
    RETURN NULL;
END $$;

DO $$
DECLARE
    source record;
BEGIN
    FOR source IN SELECT * FROM (VALUES
        ('apps', 'app', 'id'), ('zones', 'app', 'app_id'), ('floors', 'app', 'app_id'),
        ('partner_keys', 'app', 'app_id'), ('partners', 'partner', 'id')) AS sources (relation, kind, id_column)
    LOOP
        EXECUTE format('CREATE TRIGGER %1$s_inserted AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(%2$L, %3$L)',
            source.relation, source.kind, source.id_column);
        EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(%2$L, %3$L)',
            source.relation, source.kind, source.id_column);
        CONTINUE WHEN source.relation = 'apps';
        EXECUTE format('CREATE TRIGGER %1$s_updated AFTER UPDATE ON %1$I REFERENCING NEW TABLE AS changed_rows
            FOR EACH STATEMENT EXECUTE FUNCTION config_rows_changed(%2$L, %3$L)',
            source.relation, source.kind, source.id_column);
    END LOOP;
END $$;

-- Every running SDK is noted in its app's row now and then, and changes nothing that the exchange reads.
CREATE FUNCTION apps_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(
        SELECT n.id::text FROM changed_rows n JOIN former_rows f USING (id)
        WHERE to_jsonb(n) - ARRAY['sdk_version', 'sdk_seen_at'] <> to_jsonb(f) - ARRAY['sdk_version', 'sdk_seen_at']));
    RETURN NULL;
END $$;
CREATE TRIGGER apps_updated AFTER UPDATE ON apps REFERENCING OLD TABLE AS former_rows NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION apps_changed();

-- Sample apps serve in demo accounts only.
CREATE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(SELECT id::text FROM apps WHERE account_id = NEW.id));
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_updated AFTER UPDATE OF demo ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_changed();

CREATE FUNCTION config_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('all', ARRAY['']);
    RETURN NULL;
END $$;
CREATE TRIGGER apps_truncated AFTER TRUNCATE ON apps FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();
CREATE TRIGGER zones_truncated AFTER TRUNCATE ON zones FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();
CREATE TRIGGER floors_truncated AFTER TRUNCATE ON floors FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();
CREATE TRIGGER partner_keys_truncated AFTER TRUNCATE ON partner_keys FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();
CREATE TRIGGER partners_truncated AFTER TRUNCATE ON partners FOR EACH STATEMENT EXECUTE FUNCTION config_truncated();
