-- Impressions and clicks that were not counted, by reason, for the figure beside those that were. Few rows: most days have a
-- handful of reasons.

DROP VIEW IF EXISTS events_to_not_counted_daily;
DROP VIEW IF EXISTS dropped_events_to_not_counted_daily;

CREATE TABLE IF NOT EXISTS not_counted_daily
(
    app_id UInt32,
    day Date,
    reason LowCardinality(String),
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    impressions UInt64,
    clicks UInt64
)
ENGINE = SummingMergeTree((impressions, clicks))
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, reason, provider, format, country)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

-- Of a flood only the first events are kept as rows of `events`; the others are counted here, some seconds at a time.
CREATE TABLE IF NOT EXISTS dropped_events
(
    at DateTime64(3, 'UTC'),
    kind LowCardinality(String),
    app_id UInt32,
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    provider LowCardinality(String),
    invalid LowCardinality(String),
    events UInt32
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, at)
TTL toDateTime(at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

-- What is already there; an interrupted file runs again from its start.
TRUNCATE TABLE not_counted_daily;

INSERT INTO not_counted_daily
SELECT
    app_id,
    toDate(at, 'UTC') AS day,
    invalid,
    provider,
    format,
    country,
    countIf(kind = 'impression'),
    countIf(kind = 'click')
FROM events
WHERE invalid != '' AND kind IN ('impression', 'click')
GROUP BY app_id, day, invalid, provider, format, country
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

INSERT INTO not_counted_daily
SELECT
    app_id,
    toDate(at, 'UTC') AS day,
    invalid,
    provider,
    format,
    country,
    sumIf(dropped_events.events, kind = 'impression'),
    sumIf(dropped_events.events, kind = 'click')
FROM dropped_events
GROUP BY app_id, day, invalid, provider, format, country
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_not_counted_daily TO not_counted_daily AS
SELECT
    app_id,
    toDate(at, 'UTC') AS day,
    invalid AS reason,
    provider,
    format,
    country,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks
FROM events
WHERE invalid != '' AND kind IN ('impression', 'click')
GROUP BY app_id, day, reason, provider, format, country;

CREATE MATERIALIZED VIEW IF NOT EXISTS dropped_events_to_not_counted_daily TO not_counted_daily AS
SELECT
    app_id,
    toDate(at, 'UTC') AS day,
    invalid AS reason,
    provider,
    format,
    country,
    sumIf(dropped_events.events, kind = 'impression') AS impressions,
    sumIf(dropped_events.events, kind = 'click') AS clicks
FROM dropped_events
GROUP BY app_id, day, reason, provider, format, country;
