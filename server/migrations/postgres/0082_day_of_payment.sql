-- The UTC day on which an admin sent the money of a payout that is paid by hand. NULL: the day of changed_at.
ALTER TABLE payouts ADD COLUMN paid_on date;
