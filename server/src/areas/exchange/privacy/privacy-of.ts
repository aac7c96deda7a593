import { type Consent, sortVendorIds } from "@millrace/auction";
import type { BidRequest, Device, Regs } from "@millrace/openrtb";
import type { RuleCode } from "./privacy-table.ts";
import { GPP_SECTION, type GppSections, readGpp } from "./read-gpp.ts";
import { mayByTcfCanada } from "./read-tcf-canada.ts";
import { TCF_MAY, type TcfReader } from "./read-tcf.ts";

/** What the privacy signals of a request allow. */
export interface Privacy {
  /** Whether the GDPR applies, so that only some vendors may be asked. */
  gdprApplies: boolean;
  /** Whether a vendor may be asked at all. */
  mayAsk(gvlId: number | undefined): boolean;
  /** The privacy rules for a partner. Equal rules are the same list. */
  rulesFor(gvlId: number | undefined): readonly RuleCode[];
}

const NO_RULES: readonly RuleCode[] = [];
const FREE: Privacy = { gdprApplies: false, mayAsk: () => true, rulesFor: () => NO_RULES };

/** Whether a request says nothing about which law applies. */
export const leavesLawOpen = (regs: Regs | undefined): boolean =>
  regs?.gdpr === undefined && (regs?.gpp_sid ?? []).length === 0;

/**
 * Reads the signals of a request in OpenRTB 2.6, which `upgradeTo26` makes of an older one. `isGdprCountry` is true if the request
 * comes from a country where the GDPR applies unless the request says otherwise.
 */
export function privacyOf(
  { regs, user, device }: BidRequest,
  mayByTcf: TcfReader,
  { isGdprCountry = false } = {},
): Privacy {
  const gpp = gppOf(regs);
  const rules = [...new Set([...rulesOfDevice(device), ...rulesOfRegs(regs), ...gpp.rules])];
  const inGpp = gpp.sections?.tcf;
  // Nobody asks for consent where no law does.
  const hasConsentString = (user?.consent || inGpp || "") !== "";
  const gdprApplies =
    regs?.gdpr === 1 ||
    gpp.sids.includes(GPP_SECTION.tcfEu) ||
    (leavesLawOpen(regs) && (isGdprCountry || hasConsentString));
  const inCanada = gpp.canadaApplies ? (gpp.sections?.tcfCanada ?? "") : null;
  if (!gdprApplies && inCanada === null) {
    if (rules.length === 0) return FREE;
    return { ...FREE, rulesFor: () => rules };
  }
  // The section applies if `gpp_sid` names it; otherwise only the string at its own place counts.
  const text = (gpp.sids.includes(GPP_SECTION.tcfEu) ? inGpp || user?.consent : user?.consent || inGpp) ?? "";
  const may = (gvlId: number | undefined) => (gvlId === undefined || text === "" ? 0 : mayByTcf(text, gvlId));
  const mayInCanada = (gvlId: number | undefined) => (gvlId === undefined ? 0 : mayByTcfCanada(inCanada ?? "", gvlId));
  const lists = new Map<string, readonly RuleCode[]>();
  return {
    gdprApplies,
    mayAsk: (gvlId) => !gdprApplies || (may(gvlId) & TCF_MAY.basicAds) !== 0,
    rulesFor(gvlId) {
      const found = new Set([
        ...rules,
        ...(gdprApplies ? rulesOfTcf(may(gvlId)) : []),
        ...(inCanada === null ? [] : rulesOfTcfCanada(mayInCanada(gvlId))),
      ]);
      const key = [...found].join(" ");
      let list = lists.get(key);
      if (list === undefined) lists.set(key, (list = [...found]));
      return list;
    },
  };
}

/** Which of these vendors may be asked, for the auction's input. */
export function consentFor({ gdprApplies, mayAsk }: Privacy, gvlIds: Iterable<number | undefined>): Consent {
  if (!gdprApplies) return { gdprApplies, vendorIds: [] };
  const allowedIds: number[] = [];
  for (const id of gvlIds) if (id !== undefined && mayAsk(id)) allowedIds.push(id);
  return { gdprApplies, vendorIds: sortVendorIds(allowedIds) };
}

function rulesOfTcf(allowed: number): RuleCode[] {
  const rules: RuleCode[] = [];
  if (!(allowed & TCF_MAY.storage)) rules.push("tcf_storage");
  if (!(allowed & TCF_MAY.personalisedAds)) rules.push("tcf_personalised_ads");
  if (!(allowed & TCF_MAY.preciseLocation)) rules.push("tcf_precise_location");
  return rules;
}

/** Where the GDPR asks nobody, Canada's law keeps back the person: an ad that knows nothing of them needs no consent. */
const rulesOfTcfCanada = (allowed: number): RuleCode[] =>
  allowed & TCF_MAY.basicAds ? rulesOfTcf(allowed) : ["tcf_canada_basic_ads"];

/** App Tracking Transparency: 0 not asked, 1 restricted, 2 denied, 3 authorized. */
const ATT_AUTHORIZED = 3;

function rulesOfDevice(device: Device | undefined): RuleCode[] {
  if (device === undefined) return [];
  const rules: RuleCode[] = [];
  if (device.lmt === 1) rules.push("limit_ad_tracking");
  if (device.dnt === 1) rules.push("do_not_track");
  const atts = device.ext?.["atts"];
  if (atts !== undefined && atts !== null && Number(atts) !== ATT_AUTHORIZED) rules.push("tracking_not_authorized");
  return rules;
}

function rulesOfRegs(regs: Regs | undefined): RuleCode[] {
  if (regs === undefined) return [];
  const rules: RuleCode[] = [];
  if (regs.coppa === 1) rules.push("coppa");
  const gpc = regs.ext?.["gpc"];
  if (gpc === 1 || gpc === "1" || gpc === true) rules.push("global_privacy_control");
  const usPrivacy = ruleOfUsPrivacy(regs.us_privacy);
  if (usPrivacy) rules.push(usPrivacy);
  return rules;
}

/** US Privacy string (CCPA, version 1): the third of four letters is the opt-out of sale. */
function ruleOfUsPrivacy(text: string | undefined): RuleCode | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^1[-YN]{3}$/i.test(text)) return "unreadable_signal";
  return text[2]?.toUpperCase() === "Y" ? "us_privacy_opt_out" : undefined;
}

interface GppReading {
  rules: RuleCode[];
  sections: GppSections | null;
  /** The sections that apply. */
  sids: readonly number[];
  canadaApplies: boolean;
}

/**
 * The restrictions of a GPP string. `gpp_sid` says which sections apply: without it all present ones do; 0 and -1 mean
 * none. An applicable section that is missing or unreadable allows nothing.
 */
function gppOf(regs: Regs | undefined): GppReading {
  const text = regs?.gpp ?? "";
  const named = regs?.gpp_sid ?? [];
  const sids = named.filter((id) => id > 0);
  const sections = text === "" ? null : readGpp(text);
  const nothing: GppReading = { rules: [], sections, sids, canadaApplies: false };
  if (named.length > 0 && sids.length === 0) return nothing;
  if (text === "" && sids.length === 0) return nothing;
  const rules = new Set<RuleCode>();
  if (text !== "" && sections === null) rules.add("unreadable_signal");
  const applying = sids.length > 0 ? sids : [...(sections?.rulesOfUs.keys() ?? []), GPP_SECTION.usPrivacy];
  for (const id of applying) {
    // TCF consent is checked per vendor.
    if (id === GPP_SECTION.tcfEu || id === GPP_SECTION.tcfCanada) continue;
    const found = id === GPP_SECTION.usPrivacy ? rulesOfSection6(sections) : sections?.rulesOfUs.get(id);
    if (found !== undefined) for (const rule of found) rules.add(rule);
    else if (sids.length > 0) rules.add("unreadable_signal");
  }
  const canadaApplies = sids.length > 0 ? sids.includes(GPP_SECTION.tcfCanada) : sections?.tcfCanada !== undefined;
  return { rules: [...rules], sections, sids, canadaApplies };
}

function rulesOfSection6(sections: GppSections | null): RuleCode[] | undefined {
  if (sections?.usPrivacy === undefined) return undefined;
  const rule = ruleOfUsPrivacy(sections.usPrivacy);
  return rule === undefined ? [] : [rule];
}
