import type { PartnerKeysRow, PartnerRow } from "../store.ts";
import { type AppAdsRecord, readRecord, sameness, writeRecord } from "./app-ads-file.ts";

export interface AppAdsLine {
  record: AppAdsRecord;
  line: string;
  /** Ids and names of the partners whose demand needs it; the platform itself has no id. */
  partners: { id: string | null; name: string }[];
}

/**
 * The lines an account needs: the platform's own, and those of every active partner that one of its apps has switched-on keys at,
 * with the keys filled in. Two partners that ask for the same line share it. A line that a key is missing for is left out.
 */
export function appAdsLines(of: {
  platform: AppAdsRecord;
  partners: readonly PartnerRow[];
  keys: readonly PartnerKeysRow[];
}): AppAdsLine[] {
  const lines = new Map<string, AppAdsLine>();
  const add = (record: AppAdsRecord, partner: AppAdsLine["partners"][number]) => {
    const known = lines.get(sameness(record));
    if (!known) lines.set(sameness(record), { record, line: writeRecord(record), partners: [partner] });
    else if (!known.partners.some(({ id }) => id === partner.id)) known.partners.push(partner);
  };
  // A platform that is not at a domain, as on one's own machine, is nobody that buyers could look up.
  if (readRecord(writeRecord(of.platform))) add(of.platform, { id: null, name: "This platform" });
  for (const { id, name, active, app_ads_lines: templates = [] } of of.partners) {
    const own = of.keys.filter(({ partner_id, enabled }) => partner_id === id && enabled);
    if (!active || own.length === 0) continue;
    for (const template of templates) {
      for (const { keys } of own) {
        const record = readRecord(filled(template, keys));
        if (record) add(record, { id, name });
      }
    }
  }
  return [...lines.values()];
}

/** The template with its keys; without one the field is empty, which no record has. */
const filled = (template: string, keys: Record<string, unknown>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = keys[key];
    return typeof value === "string" || typeof value === "number" ? String(value).replaceAll(/[\s,#;]/g, "") : " ";
  });
