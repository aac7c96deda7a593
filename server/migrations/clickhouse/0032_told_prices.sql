-- Whether a seller's SDK told what a line item's impression paid: it may have told 0. Of rows from before this file, prices above 0 were told.
ALTER TABLE events ADD COLUMN IF NOT EXISTS paid_told UInt8 DEFAULT paid_micros > 0;

ALTER TABLE events_to_line_items_hourly MODIFY QUERY
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
    countIf(kind = 'impression' AND events.paid_told = 1) AS paid,
    sum(events.paid_micros) AS paid_micros,
    sum(pow(toFloat64(events.paid_micros), 2)) AS paid_squares
FROM events
WHERE provider = 'line-items' AND invalid = '' AND stated_micros > 0
GROUP BY app_id, hour, line_item_id, format, country, platform;
