-- Callbacks are taken app by app, so that those of one app's silent server are not read for each that is due elsewhere. The id is
-- a bigint here so that no other index suits a query for it: PostgreSQL knows too late that many wait, and would choose another.
CREATE INDEX reward_callbacks_next_of_app ON reward_callbacks ((app_id::bigint), next_at) WHERE state = 'waiting';
DROP INDEX reward_callbacks_due;

-- Those that wait when their day is over. The same rows, but said so that nothing that is due is looked for in here.
CREATE INDEX reward_callbacks_waiting_since ON reward_callbacks (earned_at) WHERE url IS NOT NULL;
