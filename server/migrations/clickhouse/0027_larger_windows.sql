-- A block of the journal may be sent again long after it was first sent, while other processes have sent theirs. So each table
-- remembers its last 10,000 blocks, and 30,000 where several views write. A block takes about 60 bytes on disk and 280 in memory.
ALTER TABLE auctions MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE events MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE traces MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE player_events MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE conversions MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE dropped_events MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE campaign_misses MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE stats_daily MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE stats_hourly MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE sums_daily MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE app_lifetime MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE devices_daily MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE devices_by_span MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE not_counted_daily MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE campaign_hourly MODIFY SETTING non_replicated_deduplication_window = 30000;
ALTER TABLE sent_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE viewers_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE sdk_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE no_ad_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE cohort_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE partner_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE campaign_misses_hourly MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE earnings_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE bid_evidence_daily MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE line_items_hourly MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE line_steps MODIFY SETTING non_replicated_deduplication_window = 10000;
