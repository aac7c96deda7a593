-- US dollars per unit of a currency, by day. The exchange uses the newest of each currency, unless it is too old.
CREATE TABLE currency_rates (
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'USD'),
    day date NOT NULL,
    usd double precision NOT NULL CHECK (usd > 0 AND usd < 1e6),
    -- 'hand' or 'feed': what an admin has entered is not replaced by a feed.
    source text NOT NULL CHECK (source IN ('hand', 'feed')),
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (currency, day)
);

CREATE FUNCTION currency_rates_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('config_changed', '');
    RETURN NULL;
END $$;
CREATE TRIGGER currency_rates_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON currency_rates
    FOR EACH STATEMENT EXECUTE FUNCTION currency_rates_changed();
