import type { BidRequest, Imp } from "./bid-request.ts";
import { isEmpty } from "./upgrade.ts";

/**
 * Moves the named fields of `from` into its `ext`, where an empty one replaces nothing. Returns `from` itself if it has
 * none of them.
 */
function intoExt<T extends { ext?: Record<string, unknown> }>(from: T, names: readonly (keyof T & string)[]): T {
  const present = names.filter((name) => from[name] !== undefined);
  if (present.length === 0) return from;
  const moved = { ...from, ext: { ...from.ext } };
  for (const name of present) {
    if (!isEmpty(from[name]) || isEmpty(moved.ext[name])) moved.ext[name] = from[name];
    delete moved[name];
  }
  return moved;
}

/** Converts one imp for a 2.5 partner: `rwdd` moves to `ext.prebid.is_rewarded_inventory`, its place before 2.6. */
export function downgradeImpTo25(imp: Imp): Imp {
  if (imp.rwdd === undefined) return imp;
  const { rwdd, ...rest } = imp;
  const prebid = imp.ext?.["prebid"];
  const before = typeof prebid === "object" && prebid !== null ? prebid : {};
  return { ...rest, ext: { ...rest.ext, prebid: { ...before, is_rewarded_inventory: rwdd } } };
}

/**
 * Converts a request for an OpenRTB 2.5 partner: fields that 2.6 added move back to their place in `ext`
 * (source.schain, regs.gdpr, regs.us_privacy, regs.gpp, regs.gpp_sid, user.consent, user.eids, imp.rwdd).
 * Other fields unknown to 2.5 stay, because receivers ignore them. Does not change the given request.
 */
export function downgradeTo25(request: BidRequest): BidRequest {
  const down = { ...request, imp: request.imp.map(downgradeImpTo25) };
  if (request.source !== undefined) down.source = intoExt(request.source, ["schain"]);
  if (request.regs !== undefined) down.regs = intoExt(request.regs, ["gdpr", "us_privacy", "gpp", "gpp_sid"]);
  if (request.user !== undefined) down.user = intoExt(request.user, ["consent", "eids"]);
  return down;
}
