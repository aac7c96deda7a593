import type { Session } from "@millrace/contract";

/** A session, by default of an owner with apps, with the given fields replaced. */
export function someSession(some: Partial<Session> = {}): Session {
  const { role = "owner", roles = { can_apps: true, can_campaign: false } } = some;
  return {
    uuid: "00000000-0000-4000-8000-0000000000aa",
    name: "Ada",
    email: "ada@example.com",
    ctime: "2026-11-01T10:00:00Z",
    current_role: roles.can_apps ? "apps" : "campaign",
    role,
    roles,
    user_balance: { balance: 0, revenue: 0 },
    campaign_balance: 0,
    globalConfig: { is_first_visit: false, is_new: false, show_agreement: 0 },
    need_verify_otp: false,
    is_switched: false,
    has_all_apps: true,
    week_start_on_sunday: false,
    admin_apps: role === "admin",
    demo: { running: false, history_progress: 1 },
    ...some,
  };
}
