-- The platforms of apps for which a partner is asked; null for all that its adapter buys.
ALTER TABLE partners ADD COLUMN platforms text[] CHECK (cardinality(platforms) > 0);
