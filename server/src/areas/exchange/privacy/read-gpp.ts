import { GppModel, HeaderV1, Sections } from "@iabgpp/cmpapi";
import { LRUCache } from "lru-cache";
import type { RuleCode } from "./privacy-table.ts";

/** Section ids of the Global Privacy Platform outside the United States. */
export const GPP_SECTION = { tcfEu: 2, tcfCanada: 5, usPrivacy: 6 } as const;
const FIRST_US_SECTION = 7;

/** A GPP string by the content of its sections. */
export interface GppSections {
  /** The TCF string of section 2. */
  tcf?: string;
  /** The TCF Canada string of section 5. */
  tcfCanada?: string;
  /** The US Privacy string of section 6. */
  usPrivacy?: string;
  /** The privacy rules required by each United States section, by its id. */
  rulesOfUs: ReadonlyMap<number, readonly RuleCode[]>;
}

const LONGEST = 12_000;
const LONGEST_HEADER = 64;

const known = new LRUCache<string, { sections: GppSections | null }>({
  maxSize: 4_000_000,
  sizeCalculation: (_, text) => text.length + 400,
});

/** Reads a GPP string; null if it is malformed. Never throws. */
export function readGpp(text: string): GppSections | null {
  if (text.length > LONGEST) return null;
  let read = known.get(text);
  if (read === undefined) known.set(text, (read = { sections: decode(text) }));
  return read.sections;
}

function decode(text: string): GppSections | null {
  const [header = "", ...parts] = text.split("~");
  if (!isShortHeader(header)) return null;
  try {
    const ids = new HeaderV1(header).getFieldValue("SectionIds") as number[];
    if (ids.length !== parts.length || parts.includes("")) return null;
    const partOf = new Map(ids.map((id, place) => [id, parts[place] ?? ""]));
    const tcf = partOf.get(GPP_SECTION.tcfEu);
    const tcfCanada = partOf.get(GPP_SECTION.tcfCanada);
    const usPrivacy = partOf.get(GPP_SECTION.usPrivacy);
    return {
      ...(tcf !== undefined && { tcf }),
      ...(tcfCanada !== undefined && { tcfCanada }),
      ...(usPrivacy !== undefined && { usPrivacy }),
      rulesOfUs: rulesOfUs(partOf),
    };
  } catch {
    return null;
  }
}

/** The known United States sections, each parsed separately, so that the others cost nothing. */
function rulesOfUs(partOf: ReadonlyMap<number, string>): Map<number, RuleCode[]> {
  const rules = new Map<number, RuleCode[]>();
  for (const [id, part] of partOf) {
    if (id < FIRST_US_SECTION || !Sections.SECTION_ID_NAME_MAP.has(id)) continue;
    const model = new GppModel();
    model.decodeSectionById(id, part);
    rules.set(id, rulesOfSection(model, id));
  }
  return rules;
}

const OPT_OUTS = ["SaleOptOut", "SharingOptOut", "TargetedAdvertisingOptOut"];
/** In opt-outs: opted out. In consents: none was given. */
const YES = 1;
/**
 * Florida, Oregon and Texas number the answers of `AdditionalDataProcessingConsent` the other way round, against all their other
 * consents. No string says which order its writer followed, so there either answer counts as none given.
 */
const EITHER_ANSWER_REFUSES: ReadonlySet<number> = new Set([13, 15, 16]);

/** The national section and those of the states use the same field names; each has some of them. */
function rulesOfSection(model: GppModel, id: number): RuleCode[] {
  const field = (name: string): unknown =>
    model.hasFieldBySectionId(id, name) ? model.getFieldValueBySectionId(id, name) : undefined;
  const anyOf = (name: string): boolean => {
    const value = field(name);
    return value === YES || (Array.isArray(value) && value.includes(YES));
  };
  const rules: RuleCode[] = [];
  if (OPT_OUTS.some(anyOf)) rules.push("us_opt_out");
  if (field("Gpc") === true) rules.push("global_privacy_control");
  if (anyOf("KnownChildSensitiveDataConsents")) rules.push("us_known_child");
  // Both are the consent to use personal data for more than what was disclosed: most states have another name for it.
  const additional = field("AdditionalDataProcessingConsent") ?? 0;
  const isRefused = EITHER_ANSWER_REFUSES.has(id) ? additional !== 0 : additional === YES;
  if (anyOf("PersonalDataConsents") || isRefused) rules.push("us_no_consent");
  if (anyOf("SensitiveDataProcessing")) rules.push("us_sensitive_data");
  return rules;
}

const HEADER_START = 24;
/** A gap between section ids in Fibonacci coding: this many bits exceed 200, and there are about thirty sections. */
const LONGEST_GAP = 12;

/**
 * Whether a header lists a plausible number of sections. It has ranges of ids in Fibonacci coding, so a dozen
 * characters may mean more numbers than can be counted.
 */
function isShortHeader(header: string): boolean {
  if (header.length > LONGEST_HEADER || !/^D[A-Za-z0-9_-]*$/.test(header)) return false;
  let bits = "";
  for (const letter of header) bits += (ALPHABET.indexOf(letter) + 64).toString(2).slice(1);
  let place = HEADER_START;
  for (let entries = Number.parseInt(bits.slice(12, HEADER_START) || "0", 2); entries > 0; entries--) {
    const isRange = bits[place] === "1";
    place += 1;
    for (let gaps = isRange ? 2 : 1; gaps > 0; gaps--) {
      const end = bits.indexOf("11", place);
      if (end < 0 || end - place > LONGEST_GAP) return false;
      place = end + 2;
    }
  }
  return true;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
