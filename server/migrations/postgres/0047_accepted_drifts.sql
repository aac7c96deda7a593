-- An admin may accept a difference that will not go away, such as one of a day whose events are deleted. A count that finds another
-- amount takes the acceptance back. Its reason stays in the audit log.
ALTER TABLE ledger_drifts
    ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    ADD COLUMN accepted_at timestamptz,
    ADD COLUMN accepted_by integer REFERENCES users ON DELETE SET NULL,
    ADD COLUMN accepted_reason text,
    ADD CHECK ((accepted_at IS NULL) = (accepted_reason IS NULL));
