import type { BidRequest, Imp } from "./bid-request.ts";
import { type Check, flag, isObject, string } from "./check.ts";
import { eids } from "./people-shapes.ts";
import { regsFields, schain } from "./source-shapes.ts";

const { gdpr, us_privacy, gpp, gpp_sid } = regsFields;

/** Copies valid fields from `ext` that the object itself lacks. Returns the object itself if there are none. */
function fromExt<T extends { ext?: Record<string, unknown> }>(to: T, checks: Record<string, Check>): T {
  const { ext } = to;
  if (ext === undefined) return to;
  const found = Object.entries(checks).flatMap(([name, check]) =>
    Object.hasOwn(ext, name) && !Object.hasOwn(to, name) && check(ext[name]) === null ? [[name, ext[name]]] : [],
  );
  return found.length === 0 ? to : { ...to, ...(Object.fromEntries(found) as Partial<T>) };
}

function upgradeImp(imp: Imp): Imp {
  const prebid = imp.ext?.["prebid"];
  const rwdd = isObject(prebid) ? prebid["is_rewarded_inventory"] : undefined;
  return imp.rwdd === undefined && flag(rwdd) === null ? { ...imp, rwdd: Number(rwdd) } : imp;
}

/**
 * Copies what 2.5 clients put into `ext` to its place in 2.6: supply chain, regulations, consent, extended ids, reward.
 * Bidders and rules that read only the 2.6 place then miss no legal signal. Fields in `ext` stay, and a value that is
 * already at its 2.6 place wins. Does not change the request, and returns the same object if there is nothing to copy.
 */
export function upgradeTo26(request: BidRequest): BidRequest {
  const imp = request.imp.map(upgradeImp);
  const source = request.source && fromExt(request.source, { schain });
  const regs = request.regs && fromExt(request.regs, { gdpr, us_privacy, gpp, gpp_sid });
  const user = request.user && fromExt(request.user, { consent: string, eids });
  const isSame =
    source === request.source &&
    regs === request.regs &&
    user === request.user &&
    imp.every((item, index) => item === request.imp[index]);
  if (isSame) return request;
  return { ...request, imp, ...(source && { source }), ...(regs && { regs }), ...(user && { user }) };
}
