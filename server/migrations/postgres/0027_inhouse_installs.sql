-- Conversions are also of in-house campaigns, whose ids are of the same sequence as advertisers'. Their rows are forgotten once no
-- postback for their ad can come.
ALTER TABLE conversions DROP CONSTRAINT conversions_campaign_id_fkey;
