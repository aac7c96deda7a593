-- What the exchange saw. Raw rows; every number of the dashboard is summed from these or from the rollups they feed.
-- Inserts come from the journal in batches with a deduplication token: a batch sent twice counts once, here and in
-- every rollup, which needs the window on the base table and on each rollup.

CREATE TABLE IF NOT EXISTS auctions
(
    at DateTime64(3, 'UTC'),
    auction_id UUID,
    imp_id LowCardinality(String),
    app_id UInt32,
    zone LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    device UInt64,
    asked Array(LowCardinality(String)),
    winner LowCardinality(String),
    price_micros Int64,
    no_ad LowCardinality(String),
    duration_ms Float32,
    demo UInt8
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, at)
SETTINGS non_replicated_deduplication_window = 1000;

-- kind: impression, click, session, ping. `invalid` is empty for what counts, else the reason; invalid rows are never billed.
CREATE TABLE IF NOT EXISTS events
(
    at DateTime64(3, 'UTC'),
    kind LowCardinality(String),
    event_id String,
    auction_id UUID,
    app_id UInt32,
    zone LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    provider LowCardinality(String),
    sdk_version LowCardinality(String),
    device UInt64,
    revenue_micros Int64,
    cost_micros Int64,
    seconds UInt32,
    invalid LowCardinality(String),
    demo UInt8
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, at)
SETTINGS non_replicated_deduplication_window = 1000;

-- The full record of a decision, replayable. Kept for two weeks.
CREATE TABLE IF NOT EXISTS traces
(
    at DateTime64(3, 'UTC'),
    auction_id UUID,
    app_id UInt32,
    trace String CODEC(ZSTD(3)),
    demo UInt8
)
ENGINE = MergeTree
PARTITION BY toYYYYMMDD(at)
ORDER BY auction_id
TTL toDateTime(at) + INTERVAL 14 DAY
SETTINGS non_replicated_deduplication_window = 1000;
