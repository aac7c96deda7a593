-- The double-entry ledger: a posting is a reason with two or more lines that sum to zero. Nothing in it ever changes.
CREATE TABLE ledger_postings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- What it is for, once: the same reference is never booked twice.
    reference text NOT NULL UNIQUE,
    kind text NOT NULL,
    reason text NOT NULL DEFAULT '',
    actor_user_id integer,
    at timestamptz NOT NULL
);

-- `book` is the kind of account in the ledger (`campaign_balance` of an advertiser, `cash` of the platform); positive
-- amounts are debits, negative ones credits.
CREATE TABLE ledger_lines (
    posting_id bigint NOT NULL REFERENCES ledger_postings,
    line integer NOT NULL,
    book text NOT NULL,
    account_id integer REFERENCES accounts,
    amount_micros bigint NOT NULL CHECK (amount_micros <> 0),
    PRIMARY KEY (posting_id, line)
);
CREATE INDEX ledger_lines_account ON ledger_lines (account_id, book);

CREATE FUNCTION posting_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT sum(amount_micros) FROM ledger_lines WHERE posting_id = NEW.posting_id) <> 0 THEN
        RAISE EXCEPTION 'posting % does not balance', NEW.posting_id;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_lines_balance AFTER INSERT ON ledger_lines
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION posting_balances();
CREATE TRIGGER ledger_lines_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_postings_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
