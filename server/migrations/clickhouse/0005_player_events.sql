-- What players tell of video and audio ads: quartiles, pauses, errors. Never billed, and apart from `events`, whose rollups
-- count what is. A repetition has the same event_id; merges drop it, and questions count ids.
CREATE TABLE IF NOT EXISTS player_events
(
    at DateTime64(3, 'UTC'),
    event LowCardinality(String),
    event_id String,
    auction_id UUID,
    app_id UInt32,
    zone LowCardinality(String),
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    provider LowCardinality(String),
    creative String,
    error_code UInt16,
    demo UInt8
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (app_id, auction_id, event_id)
TTL toDateTime(at) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;
