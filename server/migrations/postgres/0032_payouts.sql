-- Who is paid: a publisher's account as the payout provider knows it. The provider keeps the details themselves.
CREATE TABLE payees (
    account_id integer PRIMARY KEY REFERENCES accounts,
    provider text NOT NULL,
    payee_id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- Such as `Bank transfer ending 4417`; null until the provider can pay.
    method text,
    checked_at timestamptz NOT NULL
);

-- One payout for an account and month. `due` was never offered to the provider. `sending` may have reached it, so that it
-- is asked about and never sent again. The provider has accepted `sent`. `paid` has left, `rejected` has come back.
CREATE TABLE payouts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id integer NOT NULL REFERENCES accounts,
    period date NOT NULL CHECK (period = date_trunc('month', period)::date),
    amount_micros bigint NOT NULL CHECK (amount_micros > 0),
    provider text NOT NULL,
    payee_id uuid NOT NULL,
    method text NOT NULL,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'sent', 'paid', 'rejected')),
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    asked_at timestamptz,
    -- What the provider calls it.
    provider_reference text NOT NULL DEFAULT '',
    -- Why it was rejected.
    reason text NOT NULL DEFAULT '',
    UNIQUE (account_id, period)
);
CREATE INDEX payouts_on_their_way ON payouts (state) WHERE state IN ('due', 'sending', 'sent');

-- What the built-in sandbox knows: details of payees, sealed, and the payments it was asked for.
CREATE TABLE sandbox_payees (
    payee_id uuid PRIMARY KEY,
    details bytea NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE TABLE sandbox_payments (
    payout_id uuid PRIMARY KEY,
    payee_id uuid NOT NULL,
    amount_micros bigint NOT NULL CHECK (amount_micros > 0),
    standing text NOT NULL DEFAULT 'pending' CHECK (standing IN ('pending', 'paid', 'rejected')),
    reason text NOT NULL DEFAULT '',
    taken_at timestamptz NOT NULL,
    settled_at timestamptz
);
