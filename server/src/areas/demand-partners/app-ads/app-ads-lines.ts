import type { PartnerKeysRow, PartnerRow } from "../store.ts";
import { type AppAdsRecord, readRecord, sameness, writeRecord } from "./app-ads-file.ts";

export interface AppAdsLine {
  record: AppAdsRecord;
  line: string;
  /** Ids and names of the partners that require it; the platform itself has no id. */
  partners: { id: string | null; name: string }[];
}

/** A line that cannot be written, and the keys it lacks. */
export interface LeftOutLine {
  partner: string;
  line: string;
  keys: string[];
}

/**
 * The lines an account needs: the platform's own, and those of every active partner with enabled keys in one of its
 * apps, with the keys filled in. Partners with the same line share it. A line with a missing key is left out, and
 * reported unless other keys of the account complete it.
 */
export function appAdsLines(input: {
  platform: AppAdsRecord;
  partners: readonly PartnerRow[];
  keys: readonly PartnerKeysRow[];
}): { lines: AppAdsLine[]; leftOut: LeftOutLine[] } {
  const lines = new Map<string, AppAdsLine>();
  const add = (record: AppAdsRecord, partner: AppAdsLine["partners"][number]) => {
    const known = lines.get(sameness(record));
    if (!known) lines.set(sameness(record), { record, line: writeRecord(record), partners: [partner] });
    else if (!known.partners.some(({ id }) => id === partner.id)) known.partners.push(partner);
  };
  const leftOut: LeftOutLine[] = [];
  // A platform without a public domain, such as one on localhost, has no line because buyers cannot look it up.
  if (readRecord(writeRecord(input.platform))) add(input.platform, { id: null, name: "This platform" });
  for (const { id, name, active, app_ads_lines: templates = [] } of input.partners) {
    const own = input.keys.filter(({ partner_id, enabled }) => partner_id === id && enabled);
    if (!active || own.length === 0) continue;
    for (const template of templates) {
      let isWritten = false;
      for (const { keys } of own) {
        const record = readRecord(filled(template, keys));
        if (!record) continue;
        isWritten = true;
        add(record, { id, name });
      }
      const missing = isWritten ? [] : keysOf(template).filter((key) => !own.some(({ keys }) => isGiven(keys[key])));
      if (missing.length > 0) leftOut.push({ partner: name, line: template, keys: missing });
    }
  }
  return { lines: [...lines.values()], leftOut };
}

const keysOf = (template: string): string[] => [
  ...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, key]) => key ?? "")),
];

const isGiven = (value: unknown): value is string | number =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";

/** The template with its keys; a missing key leaves an empty field, which makes the record invalid. */
const filled = (template: string, keys: Record<string, unknown>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = keys[key];
    return isGiven(value) ? String(value).replaceAll(/[\s,#;]/g, "") : " ";
  });
