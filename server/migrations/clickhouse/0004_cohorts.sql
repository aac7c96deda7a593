-- The day on which an installation first started the SDK, as the SDK keeps it; 1970-01-01 where it is not known.
ALTER TABLE events ADD COLUMN IF NOT EXISTS first_day Date DEFAULT toDate('1970-01-01');

-- What the devices of a first day have brought at each age in days: the curve of lifetime value. A device is counted by its sessions.
CREATE TABLE IF NOT EXISTS cohort_daily
(
    app_id UInt32,
    first_day Date,
    age UInt16,
    revenue_micros SimpleAggregateFunction(sum, Int64),
    devices AggregateFunction(uniqCombined64(19), UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(first_day)
ORDER BY (app_id, first_day, age)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_cohort_daily TO cohort_daily AS
SELECT
    app_id,
    first_day,
    toUInt16(toDate(at, 'UTC') - first_day) AS age,
    sum(events.revenue_micros) AS revenue_micros,
    uniqCombined64StateIf(19)(device, events.kind = 'session') AS devices
FROM events
WHERE invalid = '' AND first_day > toDate('1970-01-01') AND first_day <= toDate(at, 'UTC')
    AND toDate(at, 'UTC') - first_day <= 365
GROUP BY app_id, first_day, age;
