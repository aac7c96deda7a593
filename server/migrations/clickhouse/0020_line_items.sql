-- Line items, whose sellers pay outside the platform: what their owners state and expect of an impression, as CPM, apart from
-- all revenue. `paid_micros` is the CPM that the seller's SDK told of the impression; 0 if it told none.
ALTER TABLE events ADD COLUMN IF NOT EXISTS stated_micros Int64;
ALTER TABLE events ADD COLUMN IF NOT EXISTS expected_micros Int64;
ALTER TABLE events ADD COLUMN IF NOT EXISTS paid_micros Int64;

-- The sums of CPMs, so a thousandth of each is what the impressions paid. `paid` counts those of which it is told.
CREATE TABLE IF NOT EXISTS line_items_hourly
(
    app_id UInt32,
    hour DateTime('UTC'),
    line_item_id UInt32,
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    impressions UInt64,
    clicks UInt64,
    expected_micros Int64,
    paid UInt64,
    paid_micros Int64,
    paid_squares Float64
)
ENGINE = SummingMergeTree((impressions, clicks, expected_micros, paid, paid_micros, paid_squares))
PARTITION BY toYYYYMM(hour)
ORDER BY (app_id, line_item_id, hour, format, country, platform)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_line_items_hourly TO line_items_hourly AS
SELECT
    app_id,
    toStartOfHour(at, 'UTC') AS hour,
    campaign_id AS line_item_id,
    format,
    country,
    platform,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sumIf(events.expected_micros, kind = 'impression') AS expected_micros,
    countIf(kind = 'impression' AND events.paid_micros > 0) AS paid,
    sum(events.paid_micros) AS paid_micros,
    sum(pow(toFloat64(events.paid_micros), 2)) AS paid_squares
FROM events
WHERE provider = 'line-items' AND invalid = '' AND stated_micros > 0
GROUP BY app_id, hour, line_item_id, format, country, platform;
