-- The App Store's id of an app may be entered with or without "id" before it: both are the same app, whose campaigns share the 99 numbers.
CREATE FUNCTION app_store_number(store_id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(store_id, '^id', '');

CREATE OR REPLACE FUNCTION choose_apple_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.app_platform = OLD.app_platform
        AND app_store_number(NEW.store_id) = app_store_number(OLD.store_id) THEN
        RETURN NEW;
    END IF;
    NEW.apple_number := NULL;
    IF NEW.app_platform = 'ios' THEN
        PERFORM pg_advisory_xact_lock(hashtext('apple_number ' || app_store_number(NEW.store_id)));
        SELECT min(n) INTO NEW.apple_number FROM generate_series(1, 99) AS n
        WHERE NOT EXISTS (
            SELECT FROM campaigns c
            WHERE app_store_number(c.store_id) = app_store_number(NEW.store_id) AND c.app_platform = 'ios'
                AND c.apple_number = n AND c.id != NEW.id
                AND (c.deleted_at IS NULL OR c.deleted_at > now() - interval '60 days'));
    END IF;
    RETURN NEW;
END $$;

-- Of campaigns that have one number because their app was entered in two ways, the first keeps it.
UPDATE campaigns c SET apple_number = NULL
WHERE apple_number IS NOT NULL AND EXISTS (
    SELECT FROM campaigns o
    WHERE o.id < c.id AND o.app_platform = 'ios' AND o.apple_number = c.apple_number
        AND app_store_number(o.store_id) = app_store_number(c.store_id));
DO $$
DECLARE
    left_out integer;
BEGIN
    FOR left_out IN SELECT id FROM campaigns WHERE app_platform = 'ios' AND apple_number IS NULL ORDER BY id LOOP
        UPDATE campaigns c SET apple_number = (
            SELECT min(n) FROM generate_series(1, 99) AS n WHERE NOT EXISTS (
                SELECT FROM campaigns o
                WHERE app_store_number(o.store_id) = app_store_number(c.store_id) AND o.app_platform = 'ios' AND o.apple_number = n))
        WHERE c.id = left_out;
    END LOOP;
END $$;

DROP INDEX campaigns_apple;
CREATE INDEX campaigns_apple ON campaigns (app_store_number(store_id), apple_number) WHERE apple_number IS NOT NULL;
-- Whatever happens, no postback may be two campaigns'.
CREATE UNIQUE INDEX campaigns_apple_unique ON campaigns (app_store_number(store_id), apple_number)
    WHERE apple_number IS NOT NULL AND app_platform = 'ios' AND deleted_at IS NULL;
