import { type BidRequest, type Eid, isObject, type User } from "@millrace/openrtb";
import { atPath } from "./ext-paths.ts";

const permissionsIn = atPath("prebid.data.eidpermissions");

/** Who may see the extended ids of a source: partners' names in lower case, or everybody. A source without an entry is everybody's. */
type Permissions = ReadonlyMap<string, ReadonlySet<string>>;

const EVERYBODY = "*";

/** Reads `ext.prebid.data.eidpermissions`, with which a publisher gives the ids of a source to some bidders only, as Prebid Server does. */
export function eidPermissionsOf({ ext }: BidRequest): Permissions {
  const permissions = new Map<string, Set<string>>();
  const rules = permissionsIn(ext);
  if (!Array.isArray(rules)) return permissions;
  for (const each of rules as unknown[]) {
    if (!isObject(each) || typeof each["source"] !== "string") continue;
    const { source, bidders } = each;
    // What cannot be read permits nobody.
    const names = Array.isArray(bidders) ? bidders.filter((name): name is string => typeof name === "string") : [];
    const known = permissions.get(source) ?? new Set();
    permissions.set(source, new Set([...known, ...names.map((name) => name.toLowerCase())]));
  }
  for (const [source, names] of permissions) if (names.has(EVERYBODY)) permissions.delete(source);
  return permissions;
}

/** The user without the ids of restricted sources, at both of their places: `user.eids`, and `user.ext.eids` of 2.5. */
export function withoutRestrictedEids(user: User, permissions: Permissions): User {
  if (permissions.size === 0) return user;
  const open = (eids: unknown): unknown =>
    Array.isArray(eids) ? eids.filter((eid) => !isObject(eid) || !permissions.has(String(eid["source"]))) : eids;
  const result: User = { ...user };
  if (user.eids) result.eids = open(user.eids) as Eid[];
  if (user.ext?.["eids"] !== undefined) result.ext = { ...user.ext, eids: open(user.ext["eids"]) };
  return result;
}

/** The ids of restricted sources that a partner may see. */
export function permittedEids(user: User | undefined, permissions: Permissions, partnerId: string): readonly Eid[] {
  if (permissions.size === 0) return [];
  return (user?.eids ?? []).filter(({ source }) => permissions.get(source ?? "")?.has(partnerId.toLowerCase()));
}
