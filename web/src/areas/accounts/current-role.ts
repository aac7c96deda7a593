import type { Session, Side } from "@millrace/contract";

const KEY = "millrace-current-role";

/** The side of the product the user works on, stored in this browser. It matters only to users with both sides. */
export function rememberRole(role: Side, storage: Storage = localStorage): void {
  storage.setItem(KEY, role);
}

/** Stores the side after a sign-in: advertiser if it leads to campaigns, otherwise publisher. */
export const rememberRoleOf = (redirectTo: string, storage: Storage = localStorage): void =>
  rememberRole(redirectTo.includes("campaign") ? "campaign" : "apps", storage);

export function forgetRole(storage: Storage = localStorage): void {
  storage.removeItem(KEY);
}

/** The side last worked on, if the user still has it; otherwise the one the server names. */
export function currentRoleOf({ roles, current_role }: Session, storage: Storage = localStorage): Side {
  const kept = storage.getItem(KEY);
  if (kept === "campaign" && roles.can_campaign) return "campaign";
  if (kept === "apps" && roles.can_apps) return "apps";
  return current_role;
}
