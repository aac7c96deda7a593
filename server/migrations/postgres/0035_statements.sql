-- What partners' statements say, as it was imported, and what the ledger makes of it.
CREATE TABLE statements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    partner_id text NOT NULL REFERENCES partners,
    -- SHA-256 of the file's text and of how it was read, so that the same is imported once.
    content_hash bytea NOT NULL UNIQUE,
    file_name text NOT NULL,
    mapping jsonb NOT NULL,
    -- Dollars for one unit of its currency: of the settlement, and when the ads were shown. Null for dollars, and if unknown.
    rate numeric CHECK (rate > 0),
    shown_rate numeric CHECK (shown_rate > 0),
    -- Why it differs from earlier ones; null if it restates nothing.
    cause text CHECK (cause IN ('invalid_traffic', 'discrepancy', 'time_zone', 'currency', 'clawback')),
    imported_at timestamptz NOT NULL,
    imported_by integer REFERENCES users ON DELETE SET NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    reported_micros bigint NOT NULL,
    added integer NOT NULL,
    restated integer NOT NULL,
    unchanged integer NOT NULL,
    -- What the partner owes by it, less what it owed by its earlier statement or by events until then.
    changed_by_micros bigint NOT NULL
);
CREATE INDEX statements_partner ON statements (partner_id, id);

-- What a statement added or restated: a day of an app. The last statement of a partner holds. Nothing in it changes.
CREATE TABLE statement_days (
    statement_id bigint NOT NULL REFERENCES statements,
    -- As the partner dates it, in its time zone.
    day date NOT NULL,
    app_id integer NOT NULL REFERENCES apps,
    impressions bigint NOT NULL,
    reported_micros bigint NOT NULL,
    -- At the rate when the ads were shown.
    shown_micros bigint NOT NULL,
    -- What the partner's last statement said; null if there was none.
    before_micros bigint,
    PRIMARY KEY (statement_id, day, app_id)
);
CREATE INDEX statement_days_day ON statement_days (day, app_id);

-- Why a statement is not what events say. A posting has one cause.
ALTER TABLE ledger_postings ADD COLUMN cause text
    CHECK ((kind = 'statement') = (cause IS NOT NULL)
        AND cause IN ('invalid_traffic', 'discrepancy', 'time_zone', 'currency', 'clawback', 'unexplained'));
