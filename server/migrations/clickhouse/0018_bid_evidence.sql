-- With which probability each partner was asked, parallel to `asked`; empty if all were asked for sure.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS ask_probabilities Array(Float32);

-- What became of partners' requests, from which it is learned where they never bid. A request that was sent with a
-- probability stands for the others that were not, so it counts by the inverse of that probability.
CREATE TABLE IF NOT EXISTS bid_evidence_daily
(
    provider LowCardinality(String),
    day Date,
    app_id UInt32,
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    asked Float64,
    bids Float64
)
ENGINE = SummingMergeTree((asked, bids))
PARTITION BY toYYYYMM(day)
ORDER BY (provider, day, app_id, format, country, platform)
TTL day + INTERVAL 40 DAY
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_bid_evidence_daily TO bid_evidence_daily AS
SELECT
    provider,
    toDate(at, 'UTC') AS day,
    app_id,
    format,
    country,
    platform,
    sum(if(probability > 0, 1 / probability, 1)) AS asked,
    sumIf(if(probability > 0, 1 / probability, 1), outcome = 'bid') AS bids
FROM auctions
ARRAY JOIN
    auctions.asked AS provider,
    arrayResize(auctions.outcomes, length(auctions.asked)) AS outcome,
    arrayResize(auctions.ask_probabilities, length(auctions.asked)) AS probability
-- Of a call that failed it is not known whether there would have been a bid.
WHERE outcome IN ('bid', 'no_bid')
GROUP BY provider, day, app_id, format, country, platform;
