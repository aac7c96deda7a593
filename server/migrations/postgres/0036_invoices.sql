-- Who accounts are on paper.
CREATE TABLE billing_details (
    account_id integer PRIMARY KEY REFERENCES accounts,
    legal_name text NOT NULL,
    address text NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    is_business boolean NOT NULL,
    -- With the country's prefix; empty without one.
    vat_id text NOT NULL DEFAULT '',
    -- Since when the platform may issue what the account would invoice; null if it may not.
    self_billing_since timestamptz,
    changed_at timestamptz NOT NULL
);

-- The last number of each series and year. The row is locked until the document that takes the next one is stored, so that a
-- document that is not stored leaves no gap.
CREATE TABLE invoice_numbers (
    series text NOT NULL,
    year integer NOT NULL,
    last integer NOT NULL CHECK (last > 0),
    PRIMARY KEY (series, year)
);

-- Invoices of refills, self-billed invoices of payouts, and the credit notes that cancel them. Nothing in it ever changes.
CREATE TABLE invoices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- Of a credit note, the kind of what it cancels.
    kind text NOT NULL CHECK (kind IN ('invoice', 'self_billed')),
    series text NOT NULL CHECK (series IN (kind, 'credit_note')),
    year integer NOT NULL,
    serial integer NOT NULL CHECK (serial > 0),
    number text NOT NULL UNIQUE,
    account_id integer NOT NULL REFERENCES accounts,
    issued_at timestamptz NOT NULL,
    supplied_on date NOT NULL,
    due_on date,
    -- What it is about: a refill, a payout, or the document that it cancels.
    posting_id bigint REFERENCES ledger_postings,
    payout_id uuid REFERENCES payouts,
    credits bigint UNIQUE REFERENCES invoices,
    -- How many documents there were about it before, plus one.
    edition integer NOT NULL DEFAULT 1 CHECK (edition > 0),
    -- Of a credit note.
    reason text NOT NULL DEFAULT '',
    -- The ledger's amount, and what is less than a cent before and after it.
    amount_micros bigint NOT NULL,
    carried_in_micros bigint NOT NULL,
    carried_out_micros bigint NOT NULL,
    net_cents bigint NOT NULL,
    vat_cents bigint NOT NULL,
    treatment text NOT NULL
        CHECK (treatment IN ('domestic', 'reverse_charge', 'oss', 'outside_scope', 'not_registered')),
    vat_country text NOT NULL,
    rate_basis_points integer NOT NULL CHECK (rate_basis_points BETWEEN 0 AND 10000),
    -- Name, address, country and VAT id of the platform and of the account on that day.
    platform jsonb NOT NULL,
    party jsonb NOT NULL,
    UNIQUE (series, year, serial),
    UNIQUE (posting_id, edition),
    UNIQUE (payout_id, edition),
    CHECK (num_nonnulls(posting_id, payout_id, credits) = 1),
    CHECK ((series = 'credit_note') = (credits IS NOT NULL)),
    CHECK (net_cents * 10000 = amount_micros + carried_in_micros - carried_out_micros),
    CHECK (vat_cents = 0 OR rate_basis_points > 0)
);
CREATE INDEX invoices_account ON invoices (account_id, id);
CREATE INDEX invoices_supplied_on ON invoices (supplied_on);
CREATE TRIGGER invoices_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoices
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Refills are few among the postings.
CREATE INDEX ledger_postings_refills ON ledger_postings (on_day) WHERE kind = 'refill';
