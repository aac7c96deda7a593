-- A secret is shown once, when somebody asks for one. Until then an account has one that nobody knows, and no date.
ALTER TABLE postback_keys ALTER COLUMN secret_since DROP NOT NULL;
