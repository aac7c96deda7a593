-- What the operator has switched off at once: a partner, or the SDK itself, for the requests that meet every condition.
CREATE TABLE kill_switches (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    -- Null: the SDK itself. No reference, like the app: the record outlives what it names, which it then calls by the names below. To forget
    -- the partner would switch everything off.
    partner_id text,
    partner_name text,
    -- Null: all apps.
    app_id integer,
    app_uuid uuid,
    app_name text,
    -- SDK versions, both included; null: no bound.
    sdk_from text CHECK (sdk_from ~ '^\d{1,5}(\.\d{1,5}){2}$'),
    sdk_to text CHECK (sdk_to ~ '^\d{1,5}(\.\d{1,5}){2}$'),
    -- ISO 3166-1 alpha-2; empty: all countries.
    countries text[] NOT NULL DEFAULT '{}',
    reason text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by integer REFERENCES users ON DELETE SET NULL,
    -- Null while it is in force.
    ended_at timestamptz,
    ended_by integer REFERENCES users ON DELETE SET NULL,
    CONSTRAINT kill_switches_has_a_condition CHECK (
        num_nonnulls(partner_id, app_id, sdk_from, sdk_to) > 0 OR cardinality(countries) > 0
    )
);
CREATE INDEX kill_switches_in_force ON kill_switches (id) WHERE ended_at IS NULL;

-- Wakes the exchanges. They read the few switches in force as a whole, so nothing else is recorded.
CREATE FUNCTION kill_switches_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('config_changed', '');
    RETURN NULL;
END $$;
CREATE TRIGGER kill_switches_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON kill_switches
    FOR EACH STATEMENT EXECUTE FUNCTION kill_switches_changed();
