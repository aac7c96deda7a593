-- What each partner that was asked did, parallel to `asked`: how its call ended, how long it took, and the highest price
-- that it bid. Rows from before this file have none of them.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS outcomes Array(LowCardinality(String));
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS latencies_ms Array(Float32);
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS bids_micros Array(Int64);

-- The same by day, for scorecards of partners. A win is the first ad of an answer. Quantiles come from sketches whose values
-- are within 2%, and which give the same result in whatever order they are merged.
CREATE TABLE IF NOT EXISTS partner_daily
(
    app_id UInt32,
    day Date,
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    provider LowCardinality(String),
    asked SimpleAggregateFunction(sum, UInt64),
    bids SimpleAggregateFunction(sum, UInt64),
    wins SimpleAggregateFunction(sum, UInt64),
    timeouts SimpleAggregateFunction(sum, UInt64),
    errors SimpleAggregateFunction(sum, UInt64),
    latency_ms AggregateFunction(quantilesDD(0.02, 0.5, 0.95), Float32),
    bid_micros AggregateFunction(quantilesDD(0.02, 0.5), Int64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, format, country, provider)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_partner_daily TO partner_daily AS
SELECT
    app_id,
    toDate(at, 'UTC') AS day,
    format,
    country,
    provider,
    count() AS asked,
    countIf(outcome = 'bid') AS bids,
    countIf(provider = winner) AS wins,
    countIf(outcome = 'timeout') AS timeouts,
    countIf(outcome NOT IN ('bid', 'no_bid', 'timeout')) AS errors,
    quantilesDDStateIf(0.02, 0.5, 0.95)(latency, latency > 0) AS latency_ms,
    quantilesDDStateIf(0.02, 0.5)(bid, bid > 0) AS bid_micros
FROM auctions
ARRAY JOIN
    auctions.asked AS provider,
    -- Rows without facts have shorter arrays.
    arrayResize(auctions.outcomes, length(auctions.asked)) AS outcome,
    arrayResize(auctions.latencies_ms, length(auctions.asked)) AS latency,
    arrayResize(auctions.bids_micros, length(auctions.asked)) AS bid
WHERE outcome != ''
GROUP BY app_id, day, format, country, provider;
