/** The roles a person can act in for an account; an admin acts for the platform. */
export const ROLES = ["owner", "SUSR", "SDEV", "GST", "manager", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The two sides of the product; an account has one of them or both. */
export type Side = "apps" | "campaign";

/** Who may do a thing. What is not said is closed. */
export interface Right {
  roles: readonly Role[];
  /** Only for accounts that have this side. */
  side?: Side;
  /** Open while an admin is switched into the user. */
  switched?: true;
  /** Also open to an access token, which speaks for its account's owner. */
  token?: true;
  /** Open to a session that still owes its authenticator code. */
  beforeCode?: true;
}

const EVERYONE = ROLES;
/** Those who run an account: all but developers and guests. */
const RUNNERS = ["owner", "SUSR", "manager", "admin"] as const;
/** Those who put apps up. */
const BUILDERS = [...RUNNERS, "SDEV"] as const;

/**
 * The one table of rights. Every call names its right, and so does every page and link: server and web read it here.
 * The reasons are in `docs/decisions/0010-roles-and-rights.md`.
 */
export const RIGHTS = {
  knowOneself: { roles: EVERYONE, switched: true, beforeCode: true },
  enterCode: { roles: EVERYONE, beforeCode: true },
  askSupport: { roles: EVERYONE, switched: true },
  readApps: { roles: EVERYONE, side: "apps", switched: true, token: true },
  /** All apps together: a developer sees them one by one. */
  readPublisher: { roles: ["owner", "SUSR", "GST", "manager", "admin"], side: "apps", switched: true, token: true },
  addApps: { roles: BUILDERS, side: "apps", switched: true },
  changeApps: { roles: BUILDERS, side: "apps", switched: true },
  deleteApps: { roles: RUNNERS, side: "apps", switched: true },
  readKeys: { roles: BUILDERS, side: "apps", switched: true },
  changeKeys: { roles: RUNNERS, side: "apps", switched: true },
  changeAccount: { roles: RUNNERS, side: "apps", switched: true },
  readCampaigns: { roles: RUNNERS, side: "campaign", switched: true, token: true },
  ownProfile: { roles: EVERYONE, switched: true },
  ownSecrets: { roles: EVERYONE },
  accessToken: { roles: ["owner"] },
  subUsers: { roles: ["owner"] },
  managers: { roles: ["owner", "manager"] },
  personalData: { roles: ["owner"] },
  adminDesk: { roles: ["admin"] },
} as const satisfies Record<string, Right>;
export type RightName = keyof typeof RIGHTS;

/** What the table asks of who is there: the session reply holds the same. */
export interface Holder {
  role: Role;
  roles: { can_apps: boolean; can_campaign: boolean };
  is_switched: boolean;
}

/** Whether somebody has a right. A session that owes its code, and a token, are asked about by the server besides. */
export function mayUse(name: RightName, { role, roles, is_switched }: Holder): boolean {
  const right: Right = RIGHTS[name];
  const hasSide = right.side === undefined || (right.side === "apps" ? roles.can_apps : roles.can_campaign);
  return right.roles.includes(role) && hasSide && (!is_switched || right.switched === true);
}
