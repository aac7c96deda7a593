-- The campaigns of a blocked owner buy nothing, so the exchange reads them again when one is blocked or unblocked.
CREATE FUNCTION blocked_owner_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bump_config('campaign', ARRAY(
        SELECT c.id::text FROM campaigns c JOIN memberships m ON m.account_id = c.account_id
        WHERE m.user_id = NEW.id AND m.role = 'owner'));
    RETURN NULL;
END $$;
CREATE TRIGGER users_blocked AFTER UPDATE OF blocked_at ON users FOR EACH ROW
    WHEN (OLD.blocked_at IS DISTINCT FROM NEW.blocked_at) EXECUTE FUNCTION blocked_owner_changed();
