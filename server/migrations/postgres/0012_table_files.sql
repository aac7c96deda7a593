-- Files of long statistics tables, made by jobs. What they hold lies in DATA_DIR/table-files, named for the UUID.
CREATE TABLE table_files (
    uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- Which table as which kind of file; `app` is the app's UUID, null for all apps together.
    wish jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'working', 'ready', 'failed')),
    percent smallint NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
    tries smallint NOT NULL DEFAULT 0,
    -- What the file is called where it is kept, once it is ready.
    file_name text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX table_files_account ON table_files (account_id, created_at);
CREATE INDEX table_files_expires ON table_files (expires_at);
