-- What a user earns with a rewarded ad in this zone; null for the app's reward.
ALTER TABLE zones
    ADD COLUMN reward_name text,
    ADD COLUMN reward_amount integer CHECK (reward_amount > 0),
    ADD CONSTRAINT zones_reward_is_whole CHECK ((reward_name IS NULL) = (reward_amount IS NULL));
