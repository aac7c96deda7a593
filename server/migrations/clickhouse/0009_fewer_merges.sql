-- Live traffic arrives in blocks of a few rows, and merging their parts cost the store as much as writing them. A larger base
-- merges about twelve parts of a size at a time instead of five, so that a row is rewritten less often. Parts that have been
-- left alone for long are merged as before.
ALTER TABLE auctions MODIFY SETTING merge_selector_base = 12;
ALTER TABLE events MODIFY SETTING merge_selector_base = 12;
ALTER TABLE traces MODIFY SETTING merge_selector_base = 12;
ALTER TABLE stats_hourly MODIFY SETTING merge_selector_base = 12;
ALTER TABLE stats_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE sums_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE sent_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE devices_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE devices_by_span MODIFY SETTING merge_selector_base = 12;
ALTER TABLE viewers_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE app_lifetime MODIFY SETTING merge_selector_base = 12;
ALTER TABLE sdk_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE shown_sdk_versions MODIFY SETTING merge_selector_base = 12;
ALTER TABLE no_ad_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE cohort_daily MODIFY SETTING merge_selector_base = 12;
ALTER TABLE player_events MODIFY SETTING merge_selector_base = 12;
