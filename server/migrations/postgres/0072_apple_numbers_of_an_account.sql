-- Anybody may advertise any app. So that one account cannot take all 99 numbers of somebody else's app, its campaigns have at most 20
-- of them. Deleted campaigns count for as long as their numbers are not free. A campaign beyond them has no number, as if all were taken.
CREATE OR REPLACE FUNCTION choose_apple_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most_of_an_account CONSTANT integer := 20;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.app_platform = OLD.app_platform
        AND app_store_number(NEW.store_id) = app_store_number(OLD.store_id) THEN
        RETURN NEW;
    END IF;
    NEW.apple_number := NULL;
    IF NEW.app_platform = 'ios' THEN
        PERFORM pg_advisory_xact_lock(hashtext('apple_number ' || app_store_number(NEW.store_id)));
        WITH taken AS (
            SELECT c.apple_number AS n, c.account_id FROM campaigns c
            WHERE app_store_number(c.store_id) = app_store_number(NEW.store_id) AND c.app_platform = 'ios'
                AND c.apple_number IS NOT NULL AND c.id != NEW.id
                AND (c.deleted_at IS NULL OR c.deleted_at > now() - interval '60 days'))
        SELECT min(n) INTO NEW.apple_number FROM generate_series(1, 99) AS n
        WHERE n NOT IN (SELECT taken.n FROM taken)
            AND (SELECT count(*) FROM taken WHERE account_id = NEW.account_id) < most_of_an_account;
    END IF;
    RETURN NEW;
END $$;
