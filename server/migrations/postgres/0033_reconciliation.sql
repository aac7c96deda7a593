-- What the nightly count of single events found, by UTC day, beside what the ledger holds of the day.
CREATE TABLE reconciled_days (
    day date PRIMARY KEY,
    checked_at timestamptz NOT NULL,
    counted_gross_micros bigint NOT NULL,
    counted_revenue_micros bigint NOT NULL,
    booked_gross_micros bigint NOT NULL,
    booked_revenue_micros bigint NOT NULL
);

-- Where an account's books and its events say different things. A row goes once they agree.
CREATE TABLE ledger_drifts (
    day date NOT NULL,
    account_id integer NOT NULL REFERENCES accounts,
    -- A publisher's revenue, what was paid for its ads in all, what an advertiser's ads cost, what its campaigns have spent.
    what text NOT NULL CHECK (what IN ('revenue', 'gross', 'costs', 'spend')),
    counted_micros bigint NOT NULL,
    booked_micros bigint NOT NULL,
    found_at timestamptz NOT NULL,
    PRIMARY KEY (day, account_id, what)
);
