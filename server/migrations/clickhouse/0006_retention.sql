-- Raw rows go after RAW_AUCTIONS_DAYS and RAW_EVENTS_DAYS, by whole months. What screens ask of them that no rollup has is
-- put into these tables first (areas/statistics/retention), so that each screen says the same before and after.

-- Months whose auctions are read from sent_hourly.
CREATE TABLE IF NOT EXISTS retired_months
(
    month UInt32
)
ENGINE = ReplacingMergeTree
ORDER BY month;

-- Devices by hour: a bit for each hour of the day. Asked for an ad: without a provider; began a session: without a format
-- besides; saw an ad: with its provider. A device counts once however often it is written.
CREATE TABLE IF NOT EXISTS devices_by_hours
(
    app_id UInt32,
    day Date,
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    device UInt64,
    hours SimpleAggregateFunction(groupBitOr, UInt32)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, provider, format, country, device)
SETTINGS non_replicated_deduplication_window = 1000;

-- Requests sent to each provider by hour. A row replaces the one before of the same hour.
CREATE TABLE IF NOT EXISTS sent_hourly
(
    app_id UInt32,
    hour DateTime('UTC'),
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    sent UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (app_id, hour, provider, format, country)
SETTINGS non_replicated_deduplication_window = 1000;

-- The last impressions of each day that earned something, by everything they can be filtered by.
CREATE TABLE IF NOT EXISTS latest_earnings
(
    app_id UInt32,
    day Date,
    at DateTime64(3, 'UTC'),
    event_id String,
    auction_id UUID,
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    revenue_micros Int64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, provider, format, country, at, event_id)
SETTINGS non_replicated_deduplication_window = 1000;
