-- News mails from those who run the platform.
CREATE TABLE news (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Chosen by the page that sends it, so that the same news sent again is sent once.
    uuid uuid NOT NULL UNIQUE,
    subject text NOT NULL,
    message text NOT NULL,
    sent_by integer REFERENCES users ON DELETE SET NULL,
    sent_at timestamptz NOT NULL
);

-- One mail for each person. It names nobody once the person is deleted, and still counts.
CREATE TABLE news_mails (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    news_id integer NOT NULL REFERENCES news ON DELETE CASCADE,
    user_id integer REFERENCES users ON DELETE SET NULL,
    -- A batch is one job.
    batch integer NOT NULL,
    -- sending: handed to the mail server, whose answer is not known yet. unknown: the platform ended before the answer.
    state text NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'sending', 'sent', 'refused', 'left_out', 'unknown')),
    UNIQUE (news_id, user_id)
);
CREATE INDEX news_mails_batch ON news_mails (news_id, batch, id);
CREATE INDEX news_mails_user ON news_mails (user_id);
