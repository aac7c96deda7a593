-- When admins were last told that apps or creatives wait for moderation; no row while none does.
CREATE TABLE moderation_alerts (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  told_at timestamptz NOT NULL
);
