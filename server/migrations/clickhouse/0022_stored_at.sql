-- When an event was stored, by this store's clock. Events of an exchange that was away are stored long after they happened, so
-- that whoever reads all events once, each soon after it is there, follows this column and not `at`.
-- Rows from before have 1970. An expression is computed anew with each read of a row that lacks the column, so it comes last, when
-- every row has it. An interrupted file runs again from its start.
ALTER TABLE events ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1));
ALTER TABLE events MODIFY COLUMN stored_at DEFAULT toDateTime64(0, 3, 'UTC');
ALTER TABLE events MATERIALIZE COLUMN stored_at SETTINGS mutations_sync = 2, max_execution_time = 0;
ALTER TABLE events ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;
ALTER TABLE events MATERIALIZE INDEX stored_at_range SETTINGS mutations_sync = 2, max_execution_time = 0;
ALTER TABLE events MODIFY COLUMN stored_at DEFAULT now64(3, 'UTC');
