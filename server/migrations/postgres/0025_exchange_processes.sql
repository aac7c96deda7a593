-- The exchange processes that share a Redis. What Redis has lost is restored from the event store once each of them has
-- shipped what its own journal holds; so a process stays here until its journal is empty, also while it does not run.
CREATE TABLE exchange_processes (
  name text PRIMARY KEY,
  -- Everything journaled until then is wanted in the event store, and is there.
  asked_at timestamptz NOT NULL DEFAULT '-infinity',
  shipped_at timestamptz NOT NULL DEFAULT '-infinity',
  seen_at timestamptz NOT NULL DEFAULT now()
);
