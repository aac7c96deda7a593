-- Where the built-in provider is to pay, sealed: what was entered when the payout was claimed. Its order takes it over.
ALTER TABLE payouts ADD COLUMN details bytea;
UPDATE payouts p SET details = d.details FROM sandbox_payees d
WHERE d.payee_id = p.payee_id AND p.provider = 'sandbox' AND p.state = 'due';
