-- Accounts own things; users act for accounts in a role.
CREATE TABLE accounts (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    name text NOT NULL,
    can_apps boolean NOT NULL DEFAULT true,
    can_campaign boolean NOT NULL DEFAULT false,
    demo boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- Kept in lower case by the application; one person, one address.
    email text NOT NULL UNIQUE CHECK (email = lower(email)),
    name text NOT NULL,
    surname text NOT NULL DEFAULT '',
    password_hash text NOT NULL,
    demo boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'SUSR', 'SDEV', 'GST', 'manager', 'admin')),
    PRIMARY KEY (user_id, account_id)
);
CREATE INDEX memberships_account ON memberships (account_id);

-- Only the SHA-256 of a session's token is kept.
CREATE TABLE sessions (
    token_hash text PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
