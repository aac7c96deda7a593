-- The last number of each series of documents, beside the one in PostgreSQL, so that a PostgreSQL that was restored from an older copy gives
-- none of them again. The largest of a series holds.
CREATE TABLE IF NOT EXISTS invoice_numbers
(
    series LowCardinality(String),
    year UInt16,
    last UInt32
)
ENGINE = ReplacingMergeTree(last)
ORDER BY (series, year);
