/** The roles a person can act in for an account; an admin acts for the platform. */
export const ROLES = ["owner", "SUSR", "SDEV", "GST", "manager", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The two sides of the product; an account has one of them or both. */
export const SIDES = ["apps", "campaign"] as const;
export type Side = (typeof SIDES)[number];

/** The roles and conditions of each right. Anything not listed is denied. */
export interface Right {
  roles: readonly Role[];
  /** Only for accounts that have this side. */
  side?: Side;
  /** Only for people who see all apps of the account. */
  allApps?: true;
  /** Open while an admin is switched into the user. */
  impersonating?: true;
  /** Also open to an access token, which acts as its account's owner. */
  token?: true;
  /** Open to a session that still owes its authenticator code. */
  allowWithoutMfa?: true;
}

const EVERYONE = ROLES;
/** Roles that run an account: all but developers and guests. */
const RUNNERS = ["owner", "SUSR", "manager", "admin"] as const;
/** Roles that add apps and put the SDK into them. */
const BUILDERS = [...RUNNERS, "SDEV"] as const;
/** Roles that read statistics of everything on a side. */
const READERS = [...RUNNERS, "GST"] as const;

/**
 * The table of rights, used by server and web. Every call, page and link names its right. The reasons are in
 * `docs/decisions/0010-roles-and-rights.md`.
 */
export const RIGHTS = {
  "session.read": { roles: EVERYONE, impersonating: true, allowWithoutMfa: true },
  "mfa.verify": { roles: EVERYONE, allowWithoutMfa: true },
  "support.contact": { roles: EVERYONE, impersonating: true },
  "apps.read": { roles: EVERYONE, side: "apps", impersonating: true, token: true },
  /** All apps together, or all that the member sees; developers see only single apps. */
  "publisher.read": { roles: READERS, side: "apps", impersonating: true, token: true },
  "apps.add": { roles: BUILDERS, side: "apps", allApps: true, impersonating: true },
  /** The instructions contain the app's key. */
  "instructions.read": { roles: BUILDERS, side: "apps", impersonating: true },
  /** An app's name and what its auctions use: floors, blocks, and the advertising ids of test devices. */
  "settings.manage": { roles: RUNNERS, side: "apps", impersonating: true },
  "apps.delete": { roles: RUNNERS, side: "apps", impersonating: true },
  "keys.manage": { roles: RUNNERS, side: "apps", impersonating: true },
  "appAds.read": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true, token: true },
  "account.change": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true },
  /** Ads of the account's apps in its other apps. */
  "inhouse.read": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true, token: true },
  "inhouse.manage": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true },
  "campaigns.read": { roles: READERS, side: "campaign", allApps: true, impersonating: true, token: true },
  "campaigns.manage": { roles: RUNNERS, side: "campaign", allApps: true, impersonating: true },
  /** The account's earnings and balance, and its invoices. */
  "balance.read": { roles: RUNNERS, allApps: true, impersonating: true },
  "payouts.read": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true },
  /** Where the money goes: only for the owner, signed in as themselves. */
  "payoutDetails.manage": { roles: ["owner"], side: "apps" },
  /** Who the account is on invoices; the same. */
  "billing.manage": { roles: ["owner"] },
  /** What moved a publisher's balance. Closed to guests and access tokens, as balances are. */
  "report.read": { roles: RUNNERS, side: "apps", allApps: true, impersonating: true },
  /** Done in the account's name, so an admin who is switched in may not. */
  "deductions.dispute": { roles: RUNNERS, side: "apps", allApps: true },
  "campaignBalance.read": { roles: RUNNERS, side: "campaign", allApps: true, impersonating: true },
  "profile.manage": { roles: EVERYONE, impersonating: true },
  "credentials.manage": { roles: EVERYONE },
  /** Opening the account's other side. */
  "sides.open": { roles: ["owner"] },
  "accessToken.manage": { roles: ["owner"] },
  "subUsers.manage": { roles: ["owner"] },
  "managers.manage": { roles: ["owner", "manager"], allApps: true },
  "personalData.manage": { roles: ["owner"] },
  admin: { roles: ["admin"] },
} as const satisfies Record<string, Right>;
export type RightName = keyof typeof RIGHTS;

/** The facts about a caller that the table needs; the session reply has the same fields. */
export interface Holder {
  role: Role;
  roles: { can_apps: boolean; can_campaign: boolean };
  is_switched: boolean;
  /** False for a member who sees chosen apps only. */
  has_all_apps: boolean;
}

/** Whether a caller has a right. The server also checks for a pending MFA code and for access tokens. */
export function mayUse(name: RightName, { role, roles, is_switched, has_all_apps }: Holder): boolean {
  const right: Right = RIGHTS[name];
  const hasSide = right.side === undefined || (right.side === "apps" ? roles.can_apps : roles.can_campaign);
  const hasApps = has_all_apps || right.allApps !== true;
  return right.roles.includes(role) && hasSide && hasApps && (!is_switched || right.impersonating === true);
}
