-- What was taken back of a refill is found by the refill's key, the second word of its reference. Such postings are few.
CREATE INDEX ledger_postings_taken_back ON ledger_postings (split_part(reference, ' ', 2)) WHERE kind = 'refill_taken_back';
