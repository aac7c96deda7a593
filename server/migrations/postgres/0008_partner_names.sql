-- The operator enters partners by hand, and people read their names: nothing unseen is in them, and nothing that turns the
-- writing around. Names of before stay until they are changed.
ALTER TABLE partners ADD CONSTRAINT partners_name_is_seen CHECK (
    name ~ '\S' AND length(name) <= 100
    AND name !~ '[\u0001-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]'
) NOT VALID;
