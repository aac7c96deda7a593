-- For books of a million postings. A balance is the sum of an account's lines, read from the index alone.
CREATE INDEX ledger_lines_of_account ON ledger_lines (account_id, book) INCLUDE (amount_micros, posting_id);
DROP INDEX ledger_lines_account;
-- What counts since a month's end, and which months have postings.
CREATE INDEX ledger_postings_on_day ON ledger_postings (on_day) INCLUDE (id);
