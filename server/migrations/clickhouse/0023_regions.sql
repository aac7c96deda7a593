-- The region that a request names, ISO 3166-2, for campaigns' targeting; empty if unknown. Rows from before this file have none.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS region LowCardinality(String);
