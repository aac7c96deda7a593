-- What the operator sets for a partner, besides its address.
ALTER TABLE partners
    -- The platform's own ids there, by the adapter's names for them.
    ADD COLUMN platform_ids jsonb NOT NULL DEFAULT '{}',
    -- Headers of every request by name, in lower case; secret ones are sealed.
    ADD COLUMN headers jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN credentials bytea,
    -- The currency that it is asked to bid in, and that of responses that name none: ISO 4217. Null: US dollars, and the former.
    ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$'),
    ADD COLUMN bid_currency text CHECK (bid_currency ~ '^[A-Z]{3}$'),
    -- The platform's node in the supply chain, in the fields of OpenRTB 2.6, section 3.2.26.
    ADD COLUMN schain_node jsonb,
    -- The most requests per second; null for no limit.
    ADD COLUMN qps_limit integer CHECK (qps_limit BETWEEN 1 AND 10000);
