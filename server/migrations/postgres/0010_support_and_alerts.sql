-- Messages of people to the platform's support. They go with the person who wrote them.
CREATE TABLE support_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- The admin who wrote it while switched in.
    visitor_id integer REFERENCES users ON DELETE SET NULL,
    message text NOT NULL,
    page text NOT NULL,
    created_at timestamptz NOT NULL,
    reply text,
    replied_at timestamptz,
    replied_by integer REFERENCES users ON DELETE SET NULL,
    CHECK ((reply IS NULL) = (replied_at IS NULL))
);
CREATE INDEX support_messages_user ON support_messages (user_id, id);
CREATE INDEX support_messages_account ON support_messages (account_id);
CREATE INDEX support_messages_open ON support_messages (created_at) WHERE replied_at IS NULL;

-- Advertisers whose owner was told that the balance runs out. The row goes when the balance lasts long enough again, so
-- that each crossing is told once.
CREATE TABLE balance_alerts (
    account_id integer PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    told_at timestamptz NOT NULL
);
