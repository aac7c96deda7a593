-- Since when an app that was live awaits moderation again; null while its only wait is the one since its creation.
ALTER TABLE apps ADD COLUMN waiting_since timestamptz;
