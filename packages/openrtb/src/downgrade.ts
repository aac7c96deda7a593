import type { BidRequest, Imp } from "./bid-request.ts";

/** Moves named fields of `from` into its `ext`; the very object when it has none of them. */
function intoExt<T extends { ext?: Record<string, unknown> }>(from: T, names: readonly (keyof T & string)[]): T {
  const present = names.filter((name) => from[name] !== undefined);
  if (present.length === 0) return from;
  const moved = { ...from, ext: { ...from.ext } };
  for (const name of present) {
    moved.ext[name] = from[name];
    delete moved[name];
  }
  return moved;
}

/** One imp of a request for a 2.5 partner: `rwdd` goes to `ext.prebid.is_rewarded_inventory`, where it lived before. */
export function downgradeImpTo25(imp: Imp): Imp {
  if (imp.rwdd === undefined) return imp;
  const { rwdd, ...rest } = imp;
  const prebid = imp.ext?.["prebid"];
  const before = typeof prebid === "object" && prebid !== null ? prebid : {};
  return { ...rest, ext: { ...rest.ext, prebid: { ...before, is_rewarded_inventory: rwdd } } };
}

/**
 * The request as a partner of OpenRTB 2.5 expects it: what 2.6 made first-class goes back to its place in `ext`
 * (source.schain, regs.gdpr, regs.us_privacy, regs.gpp, regs.gpp_sid, user.consent, user.eids, imp.rwdd).
 * Other fields that 2.5 does not know stay: its receivers ignore them. The given request is not changed.
 */
export function downgradeTo25(request: BidRequest): BidRequest {
  const down = { ...request, imp: request.imp.map(downgradeImpTo25) };
  if (request.source !== undefined) down.source = intoExt(request.source, ["schain"]);
  if (request.regs !== undefined) down.regs = intoExt(request.regs, ["gdpr", "us_privacy", "gpp", "gpp_sid"]);
  if (request.user !== undefined) down.user = intoExt(request.user, ["consent", "eids"]);
  return down;
}
