-- Books of publishers, partners and the platform beside those of advertisers, by day and by what was sold.
ALTER TABLE ledger_postings
    -- The UTC day on which it counts. Its month must be open.
    ADD COLUMN on_day date,
    -- The UTC day of the traffic that it is about; null if it is about none.
    ADD COLUMN for_day date;
ALTER TABLE ledger_postings DISABLE TRIGGER ledger_postings_are_append_only;
UPDATE ledger_postings SET on_day = (at AT TIME ZONE 'UTC')::date;
ALTER TABLE ledger_postings ENABLE TRIGGER ledger_postings_are_append_only;
ALTER TABLE ledger_postings ALTER COLUMN on_day SET NOT NULL;
CREATE INDEX ledger_postings_for_day ON ledger_postings (for_day, kind);

-- `account_id` is whose book it is; the app, provider and campaign say what was sold, and may be gone.
ALTER TABLE ledger_lines
    ADD COLUMN app_id integer,
    ADD COLUMN provider text NOT NULL DEFAULT '',
    ADD COLUMN campaign_id integer;

-- Months in which nothing more is booked. What is learned of their days later is booked on a day of an open month.
CREATE TABLE closed_months (
    month date PRIMARY KEY CHECK (month = date_trunc('month', month)::date),
    closed_at timestamptz NOT NULL
);
CREATE TRIGGER closed_months_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON closed_months
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION month_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM closed_months WHERE month = date_trunc('month', NEW.on_day)::date) THEN
        RAISE EXCEPTION 'the month of % is closed', NEW.on_day;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_postings_in_open_months BEFORE INSERT ON ledger_postings
    FOR EACH ROW EXECUTE FUNCTION month_is_open();

-- Once per statement instead of once per line: a day's posting has lines for every app and provider, all inserted at once.
DROP TRIGGER ledger_lines_balance ON ledger_lines;
CREATE OR REPLACE FUNCTION posting_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    crooked bigint;
BEGIN
    SELECT posting_id INTO crooked FROM ledger_lines WHERE posting_id IN (SELECT posting_id FROM added)
    GROUP BY posting_id HAVING sum(amount_micros) <> 0 LIMIT 1;
    IF crooked IS NOT NULL THEN RAISE EXCEPTION 'posting % does not balance', crooked; END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_lines_balance AFTER INSERT ON ledger_lines REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION posting_balances();
