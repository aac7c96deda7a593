-- A statement may also differ from an earlier one because that was imported by mistake: it then takes its place.
ALTER TABLE statements DROP CONSTRAINT statements_cause_check,
    ADD CONSTRAINT statements_cause_check
        CHECK (cause IN ('invalid_traffic', 'discrepancy', 'time_zone', 'currency', 'clawback', 'mistake'));
