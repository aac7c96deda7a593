-- A month may be retired more than once, as late rows create it again. The sums of each time are kept beside those of the
-- times before, so that filling them again replaces them and adds nothing.
ALTER TABLE sent_hourly
    ADD COLUMN IF NOT EXISTS generation UInt32,
    MODIFY ORDER BY (app_id, hour, provider, format, country, generation);

-- The latest row of a month is its largest. `through` is the last block of the rows that were about to be dropped: whether they were
-- is seen by the blocks that are there. Of months from before, all were.
ALTER TABLE retired_months
    ADD COLUMN IF NOT EXISTS generation UInt32,
    ADD COLUMN IF NOT EXISTS dropped UInt8,
    ADD COLUMN IF NOT EXISTS through Int64;
