-- What a publisher gets of the cleared price, from a UTC day on. Of several rows for one day the last one counts. Before its
-- first row, an account has the share of the platform's settings.
CREATE TABLE revenue_shares (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id integer NOT NULL REFERENCES accounts,
    from_day date NOT NULL,
    share_ppm integer NOT NULL CHECK (share_ppm BETWEEN 0 AND 1000000),
    reason text NOT NULL,
    set_at timestamptz NOT NULL,
    -- A day has one share: neither one that is over nor the one under way changes.
    CHECK (from_day > (set_at AT TIME ZONE 'UTC')::date)
);
CREATE INDEX revenue_shares_account ON revenue_shares (account_id, from_day, id DESC);
CREATE TRIGGER revenue_shares_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON revenue_shares
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The exchange sells the account's ads by it.
CREATE FUNCTION revenue_shares_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('app', ARRAY(
        SELECT a.id::text FROM apps a WHERE a.account_id IN (SELECT account_id FROM changed_rows)));
    RETURN NULL;
END $$;
CREATE TRIGGER revenue_shares_inserted AFTER INSERT ON revenue_shares REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION revenue_shares_changed();
