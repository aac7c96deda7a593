-- The sums of stats_daily by one key at a time: an app's days have some 5,000 combinations of provider, format, country and
-- zone, and fewer than a hundred keys. Pages without a filter, and key figures with one, read these rows alone.
-- `requests` of a provider are those sent to it, as everywhere. Fed by views on the daily rollups, so that they agree.

DROP VIEW IF EXISTS stats_daily_to_sums_daily;
DROP VIEW IF EXISTS sent_daily_to_sums_daily;

CREATE TABLE IF NOT EXISTS sums_daily
(
    app_id UInt32,
    dimension Enum8('total' = 0, 'provider' = 1, 'format' = 2, 'country' = 3, 'zone' = 4),
    day Date,
    key LowCardinality(String),
    requests UInt64,
    impressions UInt64,
    clicks UInt64,
    sessions UInt64,
    session_seconds UInt64,
    revenue_micros Int64
)
ENGINE = SummingMergeTree((requests, impressions, clicks, sessions, session_seconds, revenue_micros))
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, dimension, day, key)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 1024;

-- What is already there; an interrupted file runs again from its start.
TRUNCATE TABLE sums_daily;

INSERT INTO sums_daily
SELECT
    app_id,
    dimension,
    day,
    key,
    sum(stats_daily.requests),
    sum(stats_daily.impressions),
    sum(stats_daily.clicks),
    sum(stats_daily.sessions),
    sum(stats_daily.session_seconds),
    sum(stats_daily.revenue_micros)
FROM stats_daily
ARRAY JOIN
    ['total', 'provider', 'format', 'country', 'zone'] AS dimension,
    ['', toString(provider), toString(format), toString(country), toString(zone)] AS key
WHERE key != '' OR dimension IN ('total', 'country')
GROUP BY app_id, dimension, day, key
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

INSERT INTO sums_daily (app_id, dimension, day, key, requests)
SELECT app_id, 'provider', day, provider, sum(sent_daily.sent)
FROM sent_daily
WHERE provider != ''
GROUP BY app_id, day, provider
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS stats_daily_to_sums_daily TO sums_daily AS
SELECT
    app_id,
    dimension,
    day,
    key,
    sum(stats_daily.requests) AS requests,
    sum(stats_daily.impressions) AS impressions,
    sum(stats_daily.clicks) AS clicks,
    sum(stats_daily.sessions) AS sessions,
    sum(stats_daily.session_seconds) AS session_seconds,
    sum(stats_daily.revenue_micros) AS revenue_micros
FROM stats_daily
ARRAY JOIN
    ['total', 'provider', 'format', 'country', 'zone'] AS dimension,
    ['', toString(provider), toString(format), toString(country), toString(zone)] AS key
WHERE key != '' OR dimension IN ('total', 'country')
GROUP BY app_id, dimension, day, key;

CREATE MATERIALIZED VIEW IF NOT EXISTS sent_daily_to_sums_daily TO sums_daily AS
SELECT app_id, 'provider' AS dimension, day, provider AS key, sum(sent_daily.sent) AS requests
FROM sent_daily
WHERE provider != ''
GROUP BY app_id, day, provider;
