-- When a person was last told by mail that sign-ins as them keep failing: once a day for each kind, whatever is restarted.
CREATE TABLE failure_notices (
    user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL,
    told_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, kind)
);
