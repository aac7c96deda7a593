import type { Caller } from "../http/caller.ts";

/** A caller for tests: an owner with both sides, unless stated otherwise. */
export const someCaller = (caller: Partial<Caller> = {}): Caller => ({
  userId: 1,
  uuid: "5a0c1d2e-0000-4000-8000-000000000001",
  accountId: 1,
  role: "owner",
  roles: { can_apps: true, can_campaign: true },
  is_switched: false,
  has_all_apps: true,
  appIds: null,
  sessionHash: "a session",
  impersonatorId: null,
  mfaPending: false,
  byToken: false,
  ...caller,
});
