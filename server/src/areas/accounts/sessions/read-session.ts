import { AGREEMENT_VERSION, type Session, mayUse } from "@millrace/contract";
import { notSignedIn } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Accounts } from "../deps.ts";
import { findPerson } from "./session-store.ts";

/** The session as its page sees it. */
export async function readSession(accounts: Accounts, caller: Caller): Promise<Session> {
  const seesMoney = mayUse("balance.read", caller);
  const [person, revenue, balance, campaignBalance, hasApps] = await Promise.all([
    findPerson(accounts.pool, caller.userId, caller.sessionHash),
    seesMoney ? accounts.revenueTodayOf(caller.accountId) : null,
    seesMoney ? accounts.publisherBalanceOf(caller.accountId) : null,
    seesMoney ? accounts.campaignBalanceOf(caller.accountId) : null,
    accounts.hasApps(caller.accountId),
  ]);
  if (!person) throw notSignedIn();
  return {
    uuid: person.uuid,
    name: person.name,
    email: person.email,
    ctime: person.createdAt.toISOString(),
    current_role: caller.roles.can_apps ? "apps" : "campaign",
    role: caller.role,
    roles: caller.roles,
    user_balance: balance === null || revenue === null ? null : { balance, revenue },
    campaign_balance: campaignBalance,
    globalConfig: {
      is_first_visit: person.isFirstVisit,
      // Admins run the platform; nobody waits for their first app.
      is_new: caller.roles.can_apps && !hasApps && caller.role !== "admin",
      // An impersonating admin cannot accept the terms for the user.
      show_agreement: person.agreedVersion < AGREEMENT_VERSION && !caller.is_switched ? 1 : 0,
    },
    need_verify_otp: caller.mfaPending,
    is_switched: caller.is_switched,
    has_all_apps: caller.has_all_apps,
    week_start_on_sunday: person.weekStartOnSunday,
    admin_apps: caller.role === "admin",
    demo: accounts.demoStatus(),
  };
}
