-- Since when a line item has its seller and the parameters there; null since it was added. Earlier outcomes teach nothing of it.
ALTER TABLE line_items ADD COLUMN source_since timestamptz;
