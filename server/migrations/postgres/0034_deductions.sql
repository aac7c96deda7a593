-- Money taken from a publisher's balance for one reason. The ledger moves it; a row says what for, and what became of it.
CREATE TABLE deductions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- From the admin who notes it, so that a repeated request notes it once.
    key uuid NOT NULL UNIQUE,
    account_id integer NOT NULL REFERENCES accounts,
    app_id integer NOT NULL REFERENCES apps,
    -- Empty for invalid traffic that the platform found itself.
    provider text NOT NULL CHECK (provider <> '' OR reason = 'invalid_traffic'),
    -- The UTC day of the traffic.
    day date NOT NULL,
    reason text NOT NULL CHECK (reason IN ('invalid_traffic', 'discrepancy', 'time_zone', 'currency', 'clawback')),
    amount_micros bigint NOT NULL CHECK (amount_micros > 0),
    explanation text NOT NULL,
    auctions uuid[] NOT NULL CHECK (cardinality(auctions) <= 10),
    state text NOT NULL DEFAULT 'noted' CHECK (state IN ('noted', 'disputed', 'upheld', 'reversed')),
    noted_at timestamptz NOT NULL,
    -- The last UTC day on which it can be disputed, as its owner was told.
    dispute_until date NOT NULL,
    -- Both texts go with the account, and the dispute with the person who wrote it.
    dispute text CHECK (dispute IS NULL OR disputed_at IS NOT NULL),
    disputed_at timestamptz,
    disputed_by integer REFERENCES users ON DELETE SET NULL,
    answer text CHECK (answer IS NULL OR answered_at IS NOT NULL),
    answered_at timestamptz,
    CHECK ((answered_at IS NOT NULL) = (state IN ('upheld', 'reversed'))),
    CHECK (CASE state WHEN 'noted' THEN disputed_at IS NULL WHEN 'reversed' THEN true ELSE disputed_at IS NOT NULL END)
);
CREATE INDEX deductions_account ON deductions (account_id, id);
CREATE INDEX deductions_app ON deductions (app_id);
CREATE INDEX deductions_disputed_by ON deductions (disputed_by) WHERE disputed_by IS NOT NULL;
CREATE INDEX deductions_waiting ON deductions (disputed_at) WHERE state = 'disputed';
