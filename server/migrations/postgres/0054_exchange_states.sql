-- What each exchange process last said of itself, for the dashboard's process. Unlogged: it is written again within seconds.
CREATE UNLOGGED TABLE exchange_states (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- As `counts` and `paused` in exchange/processes/exchange-states.ts.
  counts jsonb NOT NULL,
  paused jsonb NOT NULL
);
