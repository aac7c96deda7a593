-- In this share of an app's auctions, in percent, line items are ranked at draws from what is believed of their prices.
ALTER TABLE apps ADD COLUMN exploration smallint NOT NULL DEFAULT 5 CHECK (exploration BETWEEN 0 AND 50);
