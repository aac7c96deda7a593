import type { BidRequest, Regs } from "@millrace/openrtb";
import type { Privacy } from "./privacy-of.ts";
import { GPP_SECTION, type GppSections, readGpp } from "./read-gpp.ts";

/**
 * Repeats the signals of GPP, and that the GDPR applies, in the fields before GPP (OpenRTB 2.6, section 3.2.3): many partners read
 * those alone, and would see no consent and no opt-out. A text that is there stays. Depends on nothing that a trace leaves out,
 * and returns the same request if it says everything.
 */
export function stateSignals(request: BidRequest, { gdprApplies }: Pick<Privacy, "gdprApplies">): BidRequest {
  const { regs, user } = request;
  const gdpr = gdprOf(regs, gdprApplies);
  const consent = gdprApplies && !user?.consent ? sectionsOf(regs)?.tcf : undefined;
  const usPrivacy = section6Applies(regs) && !regs?.us_privacy ? sectionsOf(regs)?.usPrivacy : undefined;
  if (gdpr === regs?.gdpr && consent === undefined && usPrivacy === undefined) return request;
  return {
    ...request,
    regs: { ...regs, ...(gdpr !== undefined && { gdpr }), ...(usPrivacy !== undefined && { us_privacy: usPrivacy }) },
    ...(consent !== undefined && { user: { ...user, consent } }),
  };
}

/** A request that lists the sections that apply says by that whether the GDPR does. */
function gdprOf({ gdpr, gpp_sid = [] }: Regs = {}, gdprApplies: boolean): number | undefined {
  if (gdprApplies) return 1;
  return gdpr === undefined && gpp_sid.length > 0 ? 0 : gdpr;
}

/** Without a list, every section applies that is there. */
const section6Applies = ({ gpp_sid = [] }: Regs = {}): boolean =>
  gpp_sid.length === 0 || gpp_sid.includes(GPP_SECTION.usPrivacy);

const sectionsOf = ({ gpp = "" }: Regs = {}): GppSections | null => (gpp === "" ? null : readGpp(gpp));
