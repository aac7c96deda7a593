import { BALANCE_ALERT_DAYS, type CampaignFunds, type Profile, SOCIAL_SERVICES, mayUse } from "@millrace/contract";
import { notSignedIn } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { hasMailbox } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";
import { listManagers } from "../people/managers.ts";
import { listSubUsers } from "../people/sub-users.ts";
import { exportState, findExport } from "../personal-data/export-store.ts";
import { NOTHING_OWED, readOwed } from "../personal-data/owed.ts";
import { findAccessToken } from "./access-token-store.ts";
import { type ProfileRow, findProfile } from "./profile-store.ts";
import { roleFlags } from "./role-flags.ts";

/** The caller's profile. Blocks that their role may not see are empty. */
export async function readProfile(accounts: Accounts, caller: Caller): Promise<Profile> {
  const { pool, clock } = accounts;
  const { userId, accountId } = caller;
  const now = clock.now();
  const person = await findProfile(pool, caller);
  if (!person) throw notSignedIn();
  const roles = roleFlags(caller, person.isSuper);
  const [token, subUsers, managers, exported, funds, owed] = await Promise.all([
    mayUse("accessToken.manage", caller) ? findAccessToken(pool, accountId) : null,
    mayUse("subUsers.manage", caller) ? listSubUsers(pool, accountId, new Date(now)) : [],
    roles.is_super_manager ? listManagers(pool, accountId, new Date(now)) : [],
    mayUse("personalData.manage", caller) ? findExport(pool, { userId, now: new Date(now) }) : null,
    // Alerts are mailed to the owner alone.
    caller.role === "owner" ? accounts.campaignFundsOf(accountId) : null,
    mayUse("personalData.manage", caller) ? readOwed(accounts, accountId) : NOTHING_OWED,
  ]);
  // Credentials are hidden from an impersonating admin.
  const seesSecrets = mayUse("credentials.manage", caller);
  return {
    uuid: person.uuid,
    email: person.email,
    name: person.name,
    surname: person.surname,
    extra: { phone: person.phone, days_left: person.balanceAlertDays },
    balance_days_left_available: funds?.days_left ?? null,
    balance_days_options: funds ? alertOptions(funds) : [],
    is_subscribed: person.isSubscribed,
    week_start_on_sunday: person.weekStartOnSunday,
    access_token: token && {
      hint: token.hint,
      created_at: token.createdAt.toISOString(),
      last_used_at: token.lastUsedAt?.toISOString() ?? null,
    },
    sub_users: subUsers,
    managers,
    accounts: seesSecrets ? identityProvidersOf(accounts, person) : [],
    has_mailbox: hasMailbox(person.email),
    has_password: seesSecrets && person.hasPassword,
    has_authenticator: seesSecrets && person.hasAuthenticator,
    recovery_codes_left: seesSecrets ? person.recoveryCodesLeft : 0,
    owed,
    export: exported && {
      uuid: exported.uuid,
      state: exportState(exported, now),
      created_at: exported.createdAt.toISOString(),
      expires_at: exported.expiresAt.toISOString(),
    },
    role: caller.role,
    roles,
    is_normal_user: mayUse("personalData.manage", caller),
    is_switched: caller.is_switched,
    has_all_apps: caller.has_all_apps,
    need_verify_otp: caller.mfaPending,
    admin_apps: roles.admin_apps,
  };
}

const alertOptions = ({ daily_spend: dailySpend }: CampaignFunds): Profile["balance_days_options"] =>
  BALANCE_ALERT_DAYS.map((days) => ({ days, below: dailySpend > 0 ? days * dailySpend : null }));

/**
 * Identity providers that are offered, and those that are linked but no longer offered, so that they can be removed.
 */
function identityProvidersOf({ settings }: Accounts, { identities }: ProfileRow): Profile["accounts"] {
  return SOCIAL_SERVICES.flatMap((service) => {
    const linked = identities.find((identity) => identity.service === service);
    if (!linked && !settings.social[service]) return [];
    return [{ service, linked: linked !== undefined, email: linked?.email ?? null }];
  });
}
