-- When the platform's admins were told that a payout waits to be made by hand. NULL: not yet, or it never waited. Those that were ordered
-- before this column were told at once.
ALTER TABLE payouts ADD COLUMN admins_told_at timestamptz;
UPDATE payouts SET admins_told_at = changed_at WHERE state = 'sent';
