import { type BidRequest, isObject, type User } from "@millrace/openrtb";
import { atPath } from "./ext-paths.ts";

const named = atPath("prebid.buyeruids");
const bidders = atPath("prebid.bidder");

/**
 * The ids by which partners know the user, by the partner's name in lower case, because Prebid Server ignores the case, too. They are in
 * `user.ext.prebid.buyeruids`. `user.buyeruid` is the id of one buyer (section 3.2.20): it is sent only if the request names a
 * single one, because otherwise nobody knows to which of them it belongs.
 */
export function buyerIdsOf({ user, imp }: BidRequest): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const add = (partner: string, id: unknown) => {
    if (typeof id === "string" && id !== "") ids.set(partner.toLowerCase(), id);
  };
  if (user === undefined) return ids;
  if (user.buyeruid !== undefined) {
    const bidderNames = new Set(imp.flatMap(({ ext }) => Object.keys(bidders(ext) ?? {})));
    const [only = ""] = bidderNames;
    if (bidderNames.size === 1) add(only, user.buyeruid);
  }
  const byName = named(user.ext);
  if (isObject(byName)) for (const [partner, id] of Object.entries(byName)) add(partner, id);
  return ids;
}

/** The user as every partner may see them; undefined if nothing remains. */
export function withoutBuyerIds(user: User): User | undefined {
  if (user.buyeruid === undefined && user.ext?.["prebid"] === undefined) return user;
  const sharedUser = { ...user };
  delete sharedUser.buyeruid;
  delete sharedUser.ext;
  const ext = Object.entries(user.ext ?? {}).filter(([name]) => name !== "prebid");
  if (ext.length > 0) sharedUser.ext = Object.fromEntries(ext);
  return Object.keys(sharedUser).length === 0 ? undefined : sharedUser;
}
