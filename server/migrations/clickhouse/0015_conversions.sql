-- Conversions that postbacks report. A row may be sent again after a crash: equal rows are one, so they are read with FINAL.
CREATE TABLE IF NOT EXISTS conversions
(
    at DateTime64(3, 'UTC'),
    -- The ad, the event and its transaction.
    event_id String,
    campaign_id UInt32,
    creative_id UInt32,
    arm LowCardinality(String),
    app_id UInt32,
    format LowCardinality(String),
    country LowCardinality(FixedString(2)),
    platform LowCardinality(String),
    event LowCardinality(String),
    -- What it followed: click or view.
    kind LowCardinality(String),
    -- The event is the one that the campaign counts.
    is_goal UInt8,
    ad_at DateTime64(3, 'UTC'),
    demo UInt8
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (campaign_id, at, event_id)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;
