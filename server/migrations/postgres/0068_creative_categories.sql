-- What a moderator has found of a creative: its IAB categories, by which publishers block ads, and whether it is suitable for children. Of earlier creatives neither is known, so they are not shown in child-directed traffic.
ALTER TABLE creatives ADD COLUMN categories text[] NOT NULL DEFAULT '{}';
ALTER TABLE creatives ADD COLUMN for_children boolean NOT NULL DEFAULT false;
