-- What the dashboard reads. Each rollup is fed by views on the raw tables and has the deduplication window of its own,
-- without which a batch sent twice would be counted twice here.

-- Counts and money by hour, for the graphs of one and two days. A request has no provider (provider = ''), a session
-- neither provider, format nor zone. Only valid events count; the others are in `invalid`.
CREATE TABLE IF NOT EXISTS stats_hourly
(
    app_id UInt32,
    hour DateTime('UTC'),
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    zone LowCardinality(String),
    requests UInt64,
    impressions UInt64,
    clicks UInt64,
    sessions UInt64,
    session_seconds UInt64,
    revenue_micros Int64,
    cost_micros Int64,
    invalid UInt64
)
ENGINE = SummingMergeTree((requests, impressions, clicks, sessions, session_seconds, revenue_micros, cost_micros, invalid))
PARTITION BY toYYYYMM(hour)
ORDER BY (app_id, hour, provider, format, country, zone)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_stats_hourly TO stats_hourly AS
SELECT app_id, toStartOfHour(at, 'UTC') AS hour, '' AS provider, format, country, zone, count() AS requests
FROM auctions
GROUP BY app_id, hour, format, country, zone;

-- Columns are named with their table: an alias would otherwise stand for the column in every other expression.
CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_stats_hourly TO stats_hourly AS
SELECT
    app_id,
    toStartOfHour(at, 'UTC') AS hour,
    provider,
    format,
    country,
    zone,
    countIf(events.kind = 'impression' AND events.invalid = '') AS impressions,
    countIf(events.kind = 'click' AND events.invalid = '') AS clicks,
    countIf(events.kind = 'session' AND events.invalid = '') AS sessions,
    sumIf(events.seconds, events.invalid = '') AS session_seconds,
    sumIf(events.revenue_micros, events.invalid = '') AS revenue_micros,
    sumIf(events.cost_micros, events.invalid = '') AS cost_micros,
    countIf(events.invalid != '') AS invalid
FROM events
GROUP BY app_id, hour, provider, format, country, zone;

-- The same by day, for everything else.
CREATE TABLE IF NOT EXISTS stats_daily
(
    app_id UInt32,
    day Date,
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    zone LowCardinality(String),
    requests UInt64,
    impressions UInt64,
    clicks UInt64,
    sessions UInt64,
    session_seconds UInt64,
    revenue_micros Int64,
    cost_micros Int64,
    invalid UInt64
)
ENGINE = SummingMergeTree((requests, impressions, clicks, sessions, session_seconds, revenue_micros, cost_micros, invalid))
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, provider, format, country, zone)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS stats_hourly_to_daily TO stats_daily AS
SELECT
    app_id,
    toDate(hour, 'UTC') AS day,
    provider,
    format,
    country,
    zone,
    sum(stats_hourly.requests) AS requests,
    sum(stats_hourly.impressions) AS impressions,
    sum(stats_hourly.clicks) AS clicks,
    sum(stats_hourly.sessions) AS sessions,
    sum(stats_hourly.session_seconds) AS session_seconds,
    sum(stats_hourly.revenue_micros) AS revenue_micros,
    sum(stats_hourly.cost_micros) AS cost_micros,
    sum(stats_hourly.invalid) AS invalid
FROM stats_hourly
GROUP BY app_id, day, provider, format, country, zone;

-- Requests sent to each provider that was asked. Many times the rows of everything else, so they are kept by day alone and
-- apart: only a provider's own numbers need them.
CREATE TABLE IF NOT EXISTS sent_daily
(
    app_id UInt32,
    day Date,
    provider LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    zone LowCardinality(String),
    sent UInt64
)
ENGINE = SummingMergeTree(sent)
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, provider, format, country, zone)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_sent_daily TO sent_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, arrayJoin(asked) AS provider, format, country, zone, count() AS sent
FROM auctions
GROUP BY app_id, day, provider, format, country, zone;

-- Devices seen, as sketches: exact below 16,384 of them, within 2% above. Four tables, each as coarse as its questions
-- allow, because reading costs by the number of sketches and the devices in them: everybody who asked for an ad or began
-- a session, in a country…
CREATE TABLE IF NOT EXISTS country_uniques_daily
(
    app_id UInt32,
    day Date,
    country LowCardinality(FixedString(2)),
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, country)
SETTINGS non_replicated_deduplication_window = 1000;

-- …in all countries…
CREATE TABLE IF NOT EXISTS uniques_daily
(
    app_id UInt32,
    day Date,
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day)
SETTINGS non_replicated_deduplication_window = 1000;

-- …everybody who asked for an ad, by where it was to stand…
CREATE TABLE IF NOT EXISTS placement_uniques_daily
(
    app_id UInt32,
    day Date,
    format LowCardinality(String),
    zone LowCardinality(String),
    country LowCardinality(FixedString(2)),
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, format, zone, country)
SETTINGS non_replicated_deduplication_window = 1000;

-- …and everybody who saw an ad of a provider.
CREATE TABLE IF NOT EXISTS provider_uniques_daily
(
    app_id UInt32,
    day Date,
    provider LowCardinality(String),
    format LowCardinality(String),
    zone LowCardinality(String),
    country LowCardinality(FixedString(2)),
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, provider, format, zone, country)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_country_uniques_daily TO country_uniques_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, country, uniqCombined64State(19)(device) AS devices
FROM auctions
GROUP BY app_id, day, country;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_country_uniques_daily TO country_uniques_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, country, uniqCombined64State(19)(device) AS devices
FROM events
WHERE kind = 'session' AND invalid = ''
GROUP BY app_id, day, country;

CREATE MATERIALIZED VIEW IF NOT EXISTS country_uniques_daily_to_uniques_daily TO uniques_daily AS
SELECT app_id, day, uniqCombined64MergeState(19)(country_uniques_daily.devices) AS devices
FROM country_uniques_daily
GROUP BY app_id, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_placement_uniques_daily TO placement_uniques_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, format, zone, country, uniqCombined64State(19)(device) AS devices
FROM auctions
GROUP BY app_id, day, format, zone, country;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_provider_uniques_daily TO provider_uniques_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, provider, format, zone, country, uniqCombined64State(19)(device) AS devices
FROM events
WHERE kind = 'impression' AND invalid = ''
GROUP BY app_id, day, provider, format, zone, country;

-- An app's whole life: revenue ever earned and devices ever seen, for its lifetime value and its account's balance.
CREATE TABLE IF NOT EXISTS app_lifetime
(
    app_id UInt32,
    revenue_micros SimpleAggregateFunction(sum, Int64),
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
ORDER BY app_id
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_app_lifetime TO app_lifetime AS
SELECT app_id, toInt64(0) AS revenue_micros, uniqCombined64State(19)(device) AS devices
FROM auctions
GROUP BY app_id;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_app_lifetime TO app_lifetime AS
SELECT
    app_id,
    sum(events.revenue_micros) AS revenue_micros,
    uniqCombined64StateIf(19)(device, events.kind = 'session') AS devices
FROM events
WHERE invalid = ''
GROUP BY app_id;

-- Which SDK versions begin sessions.
CREATE TABLE IF NOT EXISTS sdk_daily
(
    app_id UInt32,
    day Date,
    country LowCardinality(FixedString(2)),
    sdk_version LowCardinality(String),
    sessions UInt64
)
ENGINE = SummingMergeTree(sessions)
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, country, sdk_version)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_sdk_daily TO sdk_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, country, sdk_version, count() AS sessions
FROM events
WHERE kind = 'session' AND invalid = ''
GROUP BY app_id, day, country, sdk_version;

-- Why requests got no ad.
CREATE TABLE IF NOT EXISTS no_ad_daily
(
    app_id UInt32,
    day Date,
    no_ad LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    requests UInt64
)
ENGINE = SummingMergeTree(requests)
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, day, no_ad, format, country)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_no_ad_daily TO no_ad_daily AS
SELECT app_id, toDate(at, 'UTC') AS day, no_ad, format, country, count() AS requests
FROM auctions
WHERE no_ad != ''
GROUP BY app_id, day, no_ad, format, country;
