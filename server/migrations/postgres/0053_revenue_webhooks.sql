-- Where an app's impressions are posted with their revenue, and how far that has come. The impressions themselves are read from the
-- analytical store. A place there is `stored~counted~event`: two moments in epoch milliseconds, and an event's id.
CREATE TABLE revenue_webhooks (
    app_id integer PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
    -- It may hold a secret of the publisher's.
    url text NOT NULL,
    -- All before this place, and the impression at it, are delivered or given up.
    place text NOT NULL,
    -- The delivery that is being sent, and the place of its last impression: stored before the first try, so that every
    -- further one has the same content.
    delivery_id uuid,
    delivery_until text,
    delivery_made_at timestamptz,
    -- Tries in a row that have failed.
    tries integer NOT NULL DEFAULT 0,
    -- When it is looked at next. A process that sends moves this on first, so that another takes over should it die.
    next_at timestamptz NOT NULL,
    delivered bigint NOT NULL DEFAULT 0,
    given_up bigint NOT NULL DEFAULT 0,
    last_delivered_at timestamptz,
    last_failed_at timestamptz,
    last_failure text,
    CHECK ((delivery_id IS NULL) = (delivery_until IS NULL) AND (delivery_id IS NULL) = (delivery_made_at IS NULL))
);
CREATE INDEX revenue_webhooks_due ON revenue_webhooks (next_at);
