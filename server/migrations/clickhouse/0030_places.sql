-- The imp whose ad was shown or clicked, as in `auctions`: one ad of an imp is paid, also after a restart, and an auction may have several
-- imps of one zone and format. Rows from before this file, sessions and pings have none.
ALTER TABLE events ADD COLUMN IF NOT EXISTS imp_id LowCardinality(String);
