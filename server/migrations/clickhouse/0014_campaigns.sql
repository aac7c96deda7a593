-- Advertisers' campaigns. What a request offers beyond format and country, for their targeting; whose ad it got; and what became
-- of it. Rows from before this file have none of it.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS floor_micros Int64;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS os_major UInt8;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS connection LowCardinality(String);
-- iphone, ipad or android; empty for any other.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS campaign_platform LowCardinality(String);
-- Banner sizes that it takes, as 320x50.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS sizes Array(LowCardinality(String));
-- 0 where the first ad is no campaign's. `arm` is the part of an experiment.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS campaign_id UInt32;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS creative_id UInt32;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS arm LowCardinality(String);
ALTER TABLE events ADD COLUMN IF NOT EXISTS campaign_id UInt32;
ALTER TABLE events ADD COLUMN IF NOT EXISTS creative_id UInt32;
ALTER TABLE events ADD COLUMN IF NOT EXISTS arm LowCardinality(String);

-- Auctions that a campaign fits and did not enter, by reason, counted in the exchange some seconds at a time.
CREATE TABLE IF NOT EXISTS campaign_misses
(
    at DateTime64(3, 'UTC'),
    campaign_id UInt32,
    reason LowCardinality(String),
    auctions UInt32
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (campaign_id, at)
TTL toDateTime(at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

-- What advertisers' pages read. A request is an auction whose first ad is the campaign's; it has no costs.
CREATE TABLE IF NOT EXISTS campaign_hourly
(
    campaign_id UInt32,
    hour DateTime('UTC'),
    creative_id UInt32,
    arm LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    requests UInt64,
    impressions UInt64,
    clicks UInt64,
    cost_micros Int64,
    revenue_micros Int64
)
ENGINE = SummingMergeTree((requests, impressions, clicks, cost_micros, revenue_micros))
PARTITION BY toYYYYMM(hour)
ORDER BY (campaign_id, hour, creative_id, arm, format, country)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_campaign_hourly TO campaign_hourly AS
SELECT
    campaign_id,
    toStartOfHour(at, 'UTC') AS hour,
    creative_id,
    arm,
    format,
    country,
    count() AS requests
FROM auctions
WHERE campaign_id != 0
GROUP BY campaign_id, hour, creative_id, arm, format, country;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_campaign_hourly TO campaign_hourly AS
SELECT
    campaign_id,
    toStartOfHour(at, 'UTC') AS hour,
    creative_id,
    arm,
    format,
    country,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sum(events.cost_micros) AS cost_micros,
    sum(events.revenue_micros) AS revenue_micros
FROM events
WHERE campaign_id != 0 AND invalid = ''
GROUP BY campaign_id, hour, creative_id, arm, format, country;

CREATE TABLE IF NOT EXISTS campaign_misses_hourly
(
    campaign_id UInt32,
    hour DateTime('UTC'),
    reason LowCardinality(String),
    auctions UInt64
)
ENGINE = SummingMergeTree(auctions)
PARTITION BY toYYYYMM(hour)
ORDER BY (campaign_id, hour, reason)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS campaign_misses_to_hourly TO campaign_misses_hourly AS
SELECT campaign_id, toStartOfHour(at, 'UTC') AS hour, reason, sum(campaign_misses.auctions) AS auctions
FROM campaign_misses
GROUP BY campaign_id, hour, reason;
