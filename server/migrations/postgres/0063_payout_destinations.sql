-- Where a payment that is made by hand goes, sealed: what was entered when it was ordered. Erased once the payout is settled.
ALTER TABLE sandbox_payments ADD COLUMN details bytea;
UPDATE sandbox_payments s SET details = d.details FROM payouts p, sandbox_payees d
WHERE p.id = s.payout_id AND d.payee_id = s.payee_id AND p.state IN ('sending', 'sent');
