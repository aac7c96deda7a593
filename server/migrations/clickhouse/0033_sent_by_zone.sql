-- Requests sent to partners have their zone in retired months, too. Months retired before this file have none.
ALTER TABLE sent_hourly
    ADD COLUMN IF NOT EXISTS zone LowCardinality(String),
    MODIFY ORDER BY (app_id, hour, provider, format, country, generation, zone);
