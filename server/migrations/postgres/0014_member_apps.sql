-- The apps that a member sees; null for all of the account, future ones included. Apps are never removed from the table
-- and their ids are never reused, so an id of a deleted app opens nothing.
ALTER TABLE memberships ADD COLUMN app_ids integer[];
