-- How a request came to its floor where floors are automatic, empty elsewhere: the arm, the floor's step (0 of the publisher's own), and
-- how likely that draw was. A line item that is first has no price here: what it was expected to pay, as CPM.
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS floor_arm LowCardinality(String);
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS floor_step UInt8;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS floor_probability Float32;
ALTER TABLE auctions ADD COLUMN IF NOT EXISTS expected_micros Int64;
