-- Devices as rows instead of sketches. A sketch costs the same for two devices as for two hundred and has to be kept for
-- each combination of filters; rows can be filtered by anything, and only a part of them is read where the devices are
-- many: each device lies in one of 64 lots by a hash, so that a few lots are a fair sample, and all of them everybody.
-- A device counts once however often it is written: nothing here can be counted twice.

-- Who asked for an ad and where it was to stand; who began a session, without format and zone.
CREATE TABLE IF NOT EXISTS devices_daily
(
    app_id UInt32,
    lot UInt8,
    day Date,
    country LowCardinality(FixedString(2)),
    format LowCardinality(String),
    zone LowCardinality(String),
    device UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, lot, day, country, format, zone, device)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 1024;

-- The same devices without the place, for ranges of weeks and months: one row for each of 128 days, in which a bit says
-- of each day whether the device was seen. Span 0 begins on 1970-01-01.
CREATE TABLE IF NOT EXISTS devices_by_span
(
    app_id UInt32,
    lot UInt8,
    span UInt16,
    country LowCardinality(FixedString(2)),
    device UInt64,
    days SimpleAggregateFunction(groupBitOr, UInt128)
)
ENGINE = AggregatingMergeTree
PARTITION BY span
ORDER BY (app_id, lot, span, country, device)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 1024;

-- Who saw an ad of which provider. It is read for some providers, or by provider: so they lie together, and their days after.
CREATE TABLE IF NOT EXISTS viewers_daily
(
    app_id UInt32,
    lot UInt8,
    provider LowCardinality(String),
    day Date,
    country LowCardinality(FixedString(2)),
    format LowCardinality(String),
    zone LowCardinality(String),
    device UInt64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (app_id, lot, provider, day, country, format, zone, device)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS devices_daily_to_devices_by_span TO devices_by_span AS
SELECT
    app_id,
    lot,
    intDiv(toUInt16(day), 128) AS span,
    country,
    device,
    bitShiftLeft(toUInt128(1), toUInt16(day) % 128) AS days
FROM devices_daily;

CREATE MATERIALIZED VIEW IF NOT EXISTS auctions_to_devices_daily TO devices_daily AS
SELECT app_id, intHash64(device) % 64 AS lot, toDate(at, 'UTC') AS day, country, format, zone, device
FROM auctions;

CREATE MATERIALIZED VIEW IF NOT EXISTS sessions_to_devices_daily TO devices_daily AS
SELECT app_id, intHash64(device) % 64 AS lot, toDate(at, 'UTC') AS day, country, '' AS format, '' AS zone, device
FROM events
WHERE kind = 'session' AND invalid = '';

CREATE MATERIALIZED VIEW IF NOT EXISTS impressions_to_viewers_daily TO viewers_daily AS
SELECT app_id, intHash64(device) % 64 AS lot, provider, toDate(at, 'UTC') AS day, country, format, zone, device
FROM events
WHERE kind = 'impression' AND invalid = '';

-- What is already there. Rows that a view writes at the same moment, or an earlier try of this file has written, are the same.
INSERT INTO devices_daily
SELECT app_id, intHash64(device) % 64, toDate(at, 'UTC'), country, format, zone, device
FROM auctions
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

INSERT INTO devices_daily
SELECT app_id, intHash64(device) % 64, toDate(at, 'UTC'), country, '', '', device
FROM events
WHERE kind = 'session' AND invalid = ''
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

INSERT INTO viewers_daily
SELECT app_id, intHash64(device) % 64, provider, toDate(at, 'UTC'), country, format, zone, device
FROM events
WHERE kind = 'impression' AND invalid = ''
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

-- The parts of so many rows at once are too large to be merged soon, and each repeats the devices of the others.
OPTIMIZE TABLE devices_by_span FINAL SETTINGS max_execution_time = 0;
OPTIMIZE TABLE devices_daily FINAL SETTINGS max_execution_time = 0;
OPTIMIZE TABLE viewers_daily FINAL SETTINGS max_execution_time = 0;

-- The sketches are not needed any more.
DROP VIEW IF EXISTS country_uniques_daily_to_uniques_daily;
DROP VIEW IF EXISTS auctions_to_country_uniques_daily;
DROP VIEW IF EXISTS events_to_country_uniques_daily;
DROP VIEW IF EXISTS auctions_to_placement_uniques_daily;
DROP VIEW IF EXISTS events_to_provider_uniques_daily;
DROP TABLE IF EXISTS uniques_daily;
DROP TABLE IF EXISTS country_uniques_daily;
DROP TABLE IF EXISTS placement_uniques_daily;
DROP TABLE IF EXISTS provider_uniques_daily;

-- An app's lifetime keeps its revenue; its devices are the rows above.
DROP VIEW IF EXISTS auctions_to_app_lifetime;
DROP VIEW IF EXISTS events_to_app_lifetime;
ALTER TABLE app_lifetime DROP COLUMN IF EXISTS devices;
CREATE MATERIALIZED VIEW IF NOT EXISTS revenue_to_app_lifetime TO app_lifetime AS
SELECT app_id, sum(events.revenue_micros) AS revenue_micros
FROM events
WHERE invalid = ''
GROUP BY app_id;
