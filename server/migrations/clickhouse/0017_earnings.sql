-- What impressions were sold for, as the ledger books it: by day, app, provider and campaign.
-- `gross_micros` is what the demand source pays. Rows from before this file have the least that it can have been.
ALTER TABLE events ADD COLUMN IF NOT EXISTS gross_micros Int64 DEFAULT greatest(cost_micros, revenue_micros);

DROP VIEW IF EXISTS events_to_earnings_daily;

CREATE TABLE IF NOT EXISTS earnings_daily
(
    day Date,
    app_id UInt32,
    provider LowCardinality(String),
    campaign_id UInt32,
    impressions UInt64,
    gross_micros Int64,
    revenue_micros Int64
)
ENGINE = SummingMergeTree((impressions, gross_micros, revenue_micros))
PARTITION BY toYYYYMM(day)
ORDER BY (day, app_id, provider, campaign_id)
SETTINGS non_replicated_deduplication_window = 1000, merge_selector_base = 12;

-- What is already there; an interrupted file runs again from its start. Days of which single events are no longer kept
-- have no campaigns' ads, which are younger.
TRUNCATE TABLE earnings_daily;

INSERT INTO earnings_daily
SELECT day, app_id, provider, 0, sum(stats_daily.impressions), sum(stats_daily.revenue_micros), sum(stats_daily.revenue_micros)
FROM stats_daily
WHERE provider NOT IN ('', 'campaigns')
GROUP BY day, app_id, provider
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

INSERT INTO earnings_daily
SELECT toDate(at, 'UTC') AS day, app_id, provider, campaign_id, count(), sum(events.gross_micros), sum(events.revenue_micros)
FROM events
WHERE kind = 'impression' AND invalid = '' AND provider = 'campaigns'
GROUP BY day, app_id, provider, campaign_id
SETTINGS max_execution_time = 0, max_insert_threads = 1, insert_deduplicate = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_to_earnings_daily TO earnings_daily AS
SELECT
    toDate(at, 'UTC') AS day,
    app_id,
    provider,
    campaign_id,
    count() AS impressions,
    sum(events.gross_micros) AS gross_micros,
    sum(events.revenue_micros) AS revenue_micros
FROM events
WHERE kind = 'impression' AND invalid = ''
GROUP BY day, app_id, provider, campaign_id;
