-- The regions of an advertiser's campaign, ISO 3166-2: of a country that has some, only these are meant.
ALTER TABLE campaigns ADD COLUMN regions text[] NOT NULL DEFAULT '{}';

-- The country of the store in which a creative's app is, ISO 3166-1 alpha-2; empty for any.
ALTER TABLE creatives ADD COLUMN country text NOT NULL DEFAULT '';
