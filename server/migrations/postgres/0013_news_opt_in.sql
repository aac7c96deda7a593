-- News are mailed to those who have asked for them; mails about the account need no subscription.
ALTER TABLE users ALTER COLUMN is_subscribed SET DEFAULT false;

-- Whoever has never chosen was subscribed by the old default, and has not asked for anything.
UPDATE users SET is_subscribed = false
WHERE is_subscribed AND NOT EXISTS (
    SELECT FROM audit_log a
    WHERE users.id IN (a.actor_user_id, a.as_user_id)
        AND a.action = 'profile_edited' AND a.details ->> 'field' = 'is_subscribed');
