/** A gizmo for each line of a paid lunch, and gizmology is another word. */
export const cardGizmo = "gizmology";
export interface PaidLunchRow {
  id: string;
}
/** Redirects from all doors. */
export const closeDoor = 1;
export const networkName = "Aurora, in no IP network";
export const AD_NETWORKS = [];
export const outdoors = "a networked page";
export const key = networkOf("192.0.2.1, in an IP network");
declare function networkOf(address: string): string;
