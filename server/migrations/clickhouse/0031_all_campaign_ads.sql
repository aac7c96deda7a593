-- Every returned ad of a request that is a campaign's, a cross promotion's or a line item's, in the answer's order: any of them may be the
-- one that is shown. The three arrays are parallel. Rows from before this file, and those that leave the arrays out, have the first ad's.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS campaign_ids Array(UInt32) DEFAULT if(campaign_id != 0, [campaign_id], []);
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS creative_ids Array(UInt32) DEFAULT if(campaign_id != 0, [creative_id], []);
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS arms Array(LowCardinality(String)) DEFAULT if(campaign_id != 0, [arm], []);

-- A request of a campaign is a returned ad of it, first or not.
ALTER TABLE auctions_to_campaign_hourly MODIFY QUERY
SELECT
    returned_campaign AS campaign_id,
    toStartOfHour(at, 'UTC') AS hour,
    returned_creative AS creative_id,
    returned_arm AS arm,
    format,
    country,
    count() AS requests
FROM auctions
ARRAY JOIN
    auctions.campaign_ids AS returned_campaign,
    auctions.creative_ids AS returned_creative,
    auctions.arms AS returned_arm
GROUP BY returned_campaign, hour, returned_creative, returned_arm, format, country;
