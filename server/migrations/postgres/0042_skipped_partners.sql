-- Whether partners are not sent requests on which they are predicted not to bid.
ALTER TABLE apps ADD COLUMN skips_partners boolean NOT NULL DEFAULT false;

-- What was last learned, one table of one kind as a whole: the exchange reads it when its version has changed.
CREATE TABLE learned_tables (
    name text PRIMARY KEY,
    version text NOT NULL,
    content jsonb NOT NULL,
    fitted_at timestamptz NOT NULL
);
