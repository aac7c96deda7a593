import type { Session, Side } from "@millrace/contract";

const KEY = "millrace-current-role";

/** Which side of the product somebody works on: kept in this browser, and asked for only where they have both. */
export function rememberRole(role: Side, storage: Storage = localStorage): void {
  storage.setItem(KEY, role);
}

/** After a sign-in: a way that leads to campaigns is an advertiser's, any other a publisher's. */
export const rememberRoleOf = (redirectTo: string, storage: Storage = localStorage): void =>
  rememberRole(redirectTo.includes("campaign") ? "campaign" : "apps", storage);

export function forgetRole(storage: Storage = localStorage): void {
  storage.removeItem(KEY);
}

/** The side that was last worked on, where the user has it; else the one that the server names. */
export function currentRoleOf({ roles, current_role }: Session, storage: Storage = localStorage): Side {
  const kept = storage.getItem(KEY);
  if (kept === "campaign" && roles.can_campaign) return "campaign";
  if (kept === "apps" && roles.can_apps) return "apps";
  return current_role;
}
