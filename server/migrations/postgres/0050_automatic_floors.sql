-- Whether an app's floors are learned from its traffic, above those of its owner.
ALTER TABLE apps ADD COLUMN automatic_floors boolean NOT NULL DEFAULT false;
