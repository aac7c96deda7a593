-- An auction is looked up by its id alone, while auctions are sorted by app and time: the index tells which of their blocks
-- may hold it. Parts that are there get theirs in the background.
ALTER TABLE auctions ADD INDEX IF NOT EXISTS by_auction_id auction_id TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE auctions MATERIALIZE INDEX by_auction_id;
