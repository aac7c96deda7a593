-- Where a partner is asked, and its addresses there in place of its usual one.
ALTER TABLE partners
    -- Null for everywhere, also where a device's country is unknown.
    ADD COLUMN regions text[] CHECK (cardinality(regions) > 0),
    -- By region.
    ADD COLUMN region_endpoints jsonb NOT NULL DEFAULT '{}';
