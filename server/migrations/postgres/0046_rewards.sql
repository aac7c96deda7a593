-- What a user earns with a rewarded ad of the app, and the address of the publisher's server that is told of it.
ALTER TABLE apps
    ADD COLUMN reward_name text NOT NULL DEFAULT 'reward',
    ADD COLUMN reward_amount integer NOT NULL DEFAULT 1 CHECK (reward_amount > 0),
    ADD COLUMN reward_callback_url text;

-- Callbacks for earned rewards, one for each impression.
CREATE TABLE reward_callbacks (
    transaction_id text PRIMARY KEY,
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    -- The whole signed address. It may name a user, so that it goes once the callback has ended.
    url text,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    tries integer NOT NULL DEFAULT 0,
    -- How the last try ended: the status of an answer, or why there was none.
    outcome text,
    earned_at timestamptz NOT NULL,
    -- When it is sent next. A process that sends it moves this on first, so that another takes over should it die.
    next_at timestamptz NOT NULL,
    CHECK ((state = 'waiting') = (url IS NOT NULL))
);
CREATE INDEX reward_callbacks_due ON reward_callbacks (next_at) WHERE state = 'waiting';
CREATE INDEX reward_callbacks_of_app ON reward_callbacks (app_id, earned_at);
CREATE INDEX reward_callbacks_old ON reward_callbacks (earned_at);
