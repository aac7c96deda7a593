-- What SDKs told of line items' adapters, from which it is learned where they never have an ad. A step is one line item in one
-- auction; a repetition is the same row. The device bounds what a single one can teach.
ALTER TABLE player_events ADD COLUMN IF NOT EXISTS device UInt64;
ALTER TABLE player_events ADD COLUMN IF NOT EXISTS campaign_id UInt32;

CREATE TABLE IF NOT EXISTS line_steps
(
    app_id UInt32,
    line_item_id UInt32,
    at DateTime64(3, 'UTC'),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    device UInt64,
    auction_id UUID,
    outcome LowCardinality(String)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, line_item_id, device, auction_id, outcome)
TTL toDateTime(at) + INTERVAL 14 DAY
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

CREATE MATERIALIZED VIEW IF NOT EXISTS player_events_to_line_steps TO line_steps AS
SELECT app_id, campaign_id AS line_item_id, at, format, country, platform, device, auction_id, event AS outcome
FROM player_events
-- An adapter that failed, or that the app does not have, says nothing of its seller's ads.
WHERE provider = 'line-items' AND campaign_id > 0 AND event IN ('filled', 'no_fill', 'timed_out');
