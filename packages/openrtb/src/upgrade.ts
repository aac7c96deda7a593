import type { BidRequest, Imp } from "./bid-request.ts";
import { type Check, flag, isObject, string } from "./check.ts";
import { eids } from "./people-shapes.ts";
import { regsFields, schain } from "./source-shapes.ts";
import { withoutNulls } from "./without-nulls.ts";

const { gdpr, us_privacy, gpp, gpp_sid } = regsFields;
const SOURCE_CHECKS = { schain };
const REGS_CHECKS = { gdpr, us_privacy, gpp, gpp_sid };
const USER_CHECKS = { consent: string, eids };

/** Whether a field says nothing. Many clients send every field, with an empty text or list for what they do not know. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Copies valid fields from `ext` that the object itself lacks or has empty. Returns the object itself if there are none. */
function fromExt<T extends { ext?: Record<string, unknown> }>(to: T, checks: Record<string, Check>): T {
  const { ext } = to;
  if (ext === undefined) return to;
  let found: Record<string, unknown> | undefined;
  for (const name in checks) {
    if (isEmpty(ext[name]) || !isEmpty(Reflect.get(to, name)) || checks[name]?.(ext[name]) !== null) continue;
    found = Object.assign(found ?? {}, { [name]: withoutNulls(ext[name]) });
  }
  return found === undefined ? to : { ...to, ...found };
}

function upgradeImp(imp: Imp): Imp {
  const prebid = imp.ext?.["prebid"];
  const rwdd = isObject(prebid) ? prebid["is_rewarded_inventory"] : undefined;
  return imp.rwdd === undefined && flag(rwdd) === null ? { ...imp, rwdd: Number(rwdd) } : imp;
}

/**
 * Copies what 2.5 clients put into `ext` to its place in 2.6: supply chain, regulations, consent, extended ids, reward.
 * Bidders and rules that read only the 2.6 place then miss no legal signal. Fields in `ext` stay, and a value that is
 * already at its 2.6 place wins, unless it is empty. Does not change the request, and returns the same object if there
 * is nothing to copy.
 */
export function upgradeTo26(request: BidRequest): BidRequest {
  const imp = request.imp.map(upgradeImp);
  const source = request.source && fromExt(request.source, SOURCE_CHECKS);
  const regs = request.regs && fromExt(request.regs, REGS_CHECKS);
  const user = request.user && fromExt(request.user, USER_CHECKS);
  const isSame =
    source === request.source &&
    regs === request.regs &&
    user === request.user &&
    imp.every((item, index) => item === request.imp[index]);
  if (isSame) return request;
  return { ...request, imp, ...(source && { source }), ...(regs && { regs }), ...(user && { user }) };
}
