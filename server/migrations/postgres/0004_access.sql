-- People: what their profiles hold, what they sign in with, and whether they may.
ALTER TABLE users
    ALTER COLUMN password_hash DROP NOT NULL,
    ADD COLUMN phone text NOT NULL DEFAULT '',
    ADD COLUMN is_subscribed boolean NOT NULL DEFAULT true,
    ADD COLUMN week_start_on_sunday boolean NOT NULL DEFAULT false,
    -- Days before the balance runs out at which to tell; null for never.
    ADD COLUMN balance_alert_days integer CHECK (balance_alert_days > 0),
    -- The version of the terms agreed to.
    ADD COLUMN agreed_version integer NOT NULL DEFAULT 0,
    -- The authenticator's secret (RFC 6238), sealed; null where there is none.
    ADD COLUMN otp_secret bytea,
    -- The 30-second step of the last code that was taken: a code works once, and no older one after it.
    ADD COLUMN otp_last_step bigint NOT NULL DEFAULT 0,
    ADD COLUMN last_seen_at timestamptz,
    ADD COLUMN blocked_at timestamptz,
    ADD COLUMN blocked_reason text;

ALTER TABLE memberships
    -- A manager who may add managers.
    ADD COLUMN is_super boolean NOT NULL DEFAULT false,
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();

ALTER TABLE sessions
    -- How long an authenticator code that was given in this session stands.
    ADD COLUMN otp_verified_until timestamptz,
    -- The person's first session of all.
    ADD COLUMN is_first boolean NOT NULL DEFAULT false,
    -- The admin who is switched in; the session ends with the admin's right.
    ADD COLUMN switched_by integer REFERENCES users ON DELETE CASCADE;

-- The links that mails carry. `salt_hash` is the SHA-256 of the 128 random bits in the link.
CREATE TABLE tickets (
    uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    salt_hash text NOT NULL,
    type text NOT NULL CHECK (type IN ('reset_pass', 'change_pass', 'sign_up', 'manager')),
    -- Whom it was mailed to; of one type and address only the newest is good.
    email text NOT NULL CHECK (email = lower(email)),
    user_id integer REFERENCES users ON DELETE CASCADE,
    account_id integer REFERENCES accounts ON DELETE CASCADE,
    -- What takes effect when it is used: the new person of a sign-up or invitation, the hash of a password.
    payload jsonb NOT NULL DEFAULT '{}',
    -- Orders tickets of the same moment.
    number bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    activated_at timestamptz
);
CREATE INDEX tickets_email ON tickets (email, type, number);
CREATE INDEX tickets_expiry ON tickets (expires_at);
CREATE INDEX tickets_account ON tickets (account_id) WHERE account_id IS NOT NULL;

-- An authenticator that is being set up: nothing of it is in force yet.
CREATE TABLE otp_setups (
    user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    secret bytea NOT NULL,
    recovery_hashes text[] NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE TABLE recovery_codes (
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    code_hash text NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE social_identities (
    service text NOT NULL CHECK (service IN ('google', 'facebook')),
    -- The network's own name of the person (OpenID Connect `sub`).
    subject text NOT NULL,
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    email text,
    linked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (service, subject),
    UNIQUE (user_id, service)
);

-- A social sign-in on its way. The browser that began it holds the token whose hash is `binding_hash`.
CREATE TABLE social_requests (
    reqid text PRIMARY KEY,
    binding_hash text NOT NULL,
    service text NOT NULL,
    -- What is to be remembered until the end: state, nonce, verifier, role, where to go, whom to link, who came back.
    payload jsonb NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX social_requests_expiry ON social_requests (expires_at);

-- One per account. Only the SHA-256 is kept, and the last four characters to tell it by.
CREATE TABLE access_tokens (
    account_id integer PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    token_hash text NOT NULL UNIQUE,
    hint text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);

-- What was gathered about a person at their wish.
CREATE TABLE personal_exports (
    uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'working' CHECK (state IN ('working', 'ready', 'failed')),
    content jsonb,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX personal_exports_user ON personal_exports (user_id, created_at);

-- Who did what. Ids, no names or addresses of people: those are looked up while the people are there.
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    -- The one at the keyboard: an admin, where one is switched in.
    actor_user_id integer,
    -- The user who was acted as.
    as_user_id integer,
    account_id integer,
    action text NOT NULL,
    subject text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    address inet
);
CREATE INDEX audit_log_account ON audit_log (account_id, id);
CREATE INDEX audit_log_actor ON audit_log (actor_user_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is only added to', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Of somebody who is deleted the network address goes; who did what stays, under an id that is nobody's any more.
CREATE FUNCTION refuse_all_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.address IS NULL AND to_jsonb(NEW) - 'address' = to_jsonb(OLD) - 'address' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'audit_log is only added to';
END $$;
CREATE TRIGGER audit_log_forgets_addresses_alone BEFORE UPDATE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_all_but_forgetting();

ALTER TABLE accounts ADD COLUMN deleted_at timestamptz;
ALTER TABLE apps
    ADD COLUMN moderation_reason text,
    ADD COLUMN moderated_at timestamptz;
