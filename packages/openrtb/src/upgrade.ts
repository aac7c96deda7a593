import type { BidRequest, Imp } from "./bid-request.ts";
import { type Check, flag, isObject, string } from "./check.ts";
import { eids } from "./people-shapes.ts";
import { regsFields, schain } from "./source-shapes.ts";

const { gdpr, us_privacy, gpp, gpp_sid } = regsFields;

/** The object with fields that its `ext` has and it lacks; the very object where there are none of the standard's type. */
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
 * Says at the places of 2.6 what clients of 2.5 say in `ext`: supply chain, regulations, consent, extended ids, reward.
 * So a bidder or rule that reads only one place misses no signal of the law. What is in `ext` stays there, and what is
 * at the 2.6 place already stands. The request is not changed; it is the very one where there is nothing to say.
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
