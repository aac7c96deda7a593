import { PRIVACY_PARTS, type PrivacyPart } from "@millrace/contract";

/** The kinds of personal data in a request, each sent or redacted as a whole. One bit each. */
export const PART = {
  deviceIds: 1,
  userIds: 2,
  extendedIds: 4,
  address: 8,
  location: 16,
  profile: 32,
} as const satisfies Record<PrivacyPart, number>;
export type Part = PrivacyPart;

const EVERYTHING = 63;

interface PrivacyRule {
  /** The parts that the rule removes, as bits. */
  removes: number;
  /** Ends the sentence "Device id not sent: …"; `{vendor}` is the partner's id on the Global Vendor List. */
  why: string;
}

/** The only table of signals, redactions and reasons. Requests, traces and the dashboard all use it. */
export const PRIVACY_RULES = {
  coppa: { removes: EVERYTHING, why: "the app or the user is a child's (COPPA)" },
  limit_ad_tracking: { removes: EVERYTHING, why: "the device limits ad tracking" },
  do_not_track: { removes: EVERYTHING, why: "the device asks not to be tracked" },
  tracking_not_authorized: {
    removes: EVERYTHING,
    why: "the user has not let the app track (App Tracking Transparency)",
  },
  global_privacy_control: { removes: EVERYTHING, why: "the browser sends Global Privacy Control" },
  us_privacy_opt_out: { removes: EVERYTHING, why: "the user has opted out of the sale of their data (US Privacy)" },
  us_opt_out: {
    removes: EVERYTHING,
    why: "the user has opted out of sale, sharing or targeted advertising (GPP)",
  },
  us_known_child: { removes: EVERYTHING, why: "the user is a known child without consent (GPP)" },
  us_no_consent: { removes: EVERYTHING, why: "the user has not consented to the use of personal data (GPP)" },
  us_sensitive_data: {
    removes: PART.address | PART.location | PART.profile,
    why: "the user has opted out of the use of sensitive data (GPP)",
  },
  unreadable_signal: { removes: EVERYTHING, why: "an applicable privacy signal cannot be read" },
  tcf_storage: {
    removes: EVERYTHING,
    why: "no consent for vendor {vendor} to use what is stored on the device (TCF purpose 1)",
  },
  tcf_personalised_ads: {
    removes: PART.extendedIds | PART.profile,
    why: "no consent for vendor {vendor} to personalise ads (TCF purposes 3 and 4)",
  },
  tcf_precise_location: {
    removes: PART.address | PART.location,
    why: "no opt-in to precise location for vendor {vendor} (TCF special feature 1)",
  },
  tcf_canada_basic_ads: {
    removes: EVERYTHING,
    why: "no consent for vendor {vendor} to choose ads (TCF Canada purpose 2)",
  },
} as const satisfies Record<string, PrivacyRule>;
export type RuleCode = keyof typeof PRIVACY_RULES;

/** All parts that these rules remove. */
export const partsRemovedBy = (rules: readonly RuleCode[]): number =>
  rules.reduce((parts, rule) => parts | PRIVACY_RULES[rule].removes, 0);

/** The OpenRTB 2.6 fields of each part, and its name in sentences. `ext` of device and user can contain anything. */
export const PARTS = {
  deviceIds: {
    label: "device id",
    device: ["ifa", "didsha1", "didmd5", "dpidsha1", "dpidmd5", "macsha1", "macmd5"],
    user: [],
  },
  userIds: { label: "user id", device: [], user: ["id", "buyeruid"] },
  extendedIds: { label: "shared ids", device: [], user: ["eids"] },
  address: { label: "full IP address", device: ["ip", "ipv6"], user: [] },
  location: { label: "precise location", device: ["geo"], user: ["geo"] },
  profile: {
    label: "profile",
    device: ["ext"],
    user: ["yob", "gender", "keywords", "kwarray", "customdata", "data", "ext"],
  },
} as const satisfies Record<Part, { label: string; device: readonly string[]; user: readonly string[] }>;

const PART_OF_FIELD = new Map<string, Part>(
  Object.entries(PARTS).flatMap(([part, { device, user }]) => [
    ...device.map((field) => [`device.${field}`, part as Part] as const),
    ...user.map((field) => [`user.${field}`, part as Part] as const),
  ]),
);

/** The parts that these fields belong to, such as `device.ifa`. */
export function partsOfFields(fields: readonly string[]): Part[] {
  const found = new Set(fields.map((field) => PART_OF_FIELD.get(field)));
  return PRIVACY_PARTS.filter((part) => found.has(part));
}

/**
 * Describes a rule's effect on a request: "Device id and precise location not sent: the device limits ad tracking".
 * `removed` are the removed fields, such as `device.ifa`; null if the rule removed none.
 */
export function describeRule(
  rule: RuleCode,
  removed: readonly string[],
  gvlId: number | undefined,
): { text: string; fields: string[] } | null {
  const { removes, why }: PrivacyRule = PRIVACY_RULES[rule];
  const fields = removed.filter((field) => {
    const part = PART_OF_FIELD.get(field);
    return part !== undefined && (removes & PART[part]) !== 0;
  });
  if (fields.length === 0) return null;
  const told = new Set(fields.map((field) => PART_OF_FIELD.get(field)));
  const labels = Object.entries(PARTS).flatMap(([part, { label }]) => (told.has(part as Part) ? [label] : []));
  const last = labels.pop() ?? "";
  const what = labels.length === 0 ? last : `${labels.join(", ")} and ${last}`;
  const reason = why.replace("{vendor}", String(gvlId ?? "without an id"));
  return { text: `${what[0]?.toUpperCase()}${what.slice(1)} not sent: ${reason}`, fields };
}

/** Whether a stored trace names a rule that this version knows. */
export const isRuleCode = (code: string): code is RuleCode => Object.hasOwn(PRIVACY_RULES, code);
