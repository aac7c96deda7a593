-- Whether a creative was ever approved, so that it may have been shown. Deleted ones that never were are not kept. Of earlier creatives it is not known.
ALTER TABLE creatives ADD COLUMN was_approved boolean NOT NULL DEFAULT true;
ALTER TABLE creatives ALTER COLUMN was_approved SET DEFAULT false;

CREATE FUNCTION creative_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.was_approved := true;
    RETURN NEW;
END $$;
CREATE TRIGGER creatives_approved BEFORE INSERT OR UPDATE ON creatives
    FOR EACH ROW WHEN (NEW.moderation = 'approved' AND NOT NEW.was_approved) EXECUTE FUNCTION creative_approved();
