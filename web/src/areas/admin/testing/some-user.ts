import type { AdminUser } from "@millrace/contract";

/** A user with neither apps nor campaigns. */
export const someUser = (more: Partial<AdminUser> = {}): AdminUser => ({
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Ada Lovelace",
  email: "ada@example.com",
  ctime: "2026-11-01T10:00:00Z",
  last_seen_at: null,
  blocked: false,
  blocked_reason: null,
  can_apps: false,
  can_campaign: false,
  apps: 0,
  balance: 0,
  campaign_balance: 0,
  is_admin: false,
  ...more,
});
