import { DOMAIN } from "@millrace/contract";

/** A data record of app-ads.txt 1.1 (IAB Tech Lab, section 3.4): a seller account in an advertising system. */
export interface AppAdsRecord {
  /** The advertising system's domain, in lower case. */
  system: string;
  accountId: string;
  relation: "DIRECT" | "RESELLER";
  /** The system's id at a certification authority. */
  certification?: string;
}

/** Commas, `#` and line breaks are separators and cannot be part of an id. */
const FIELD = /^[^\s,#;]{1,256}$/;

/** Parses a record; null for a comment, a variable, or an invalid line. */
export function readRecord(line: string): AppAdsRecord | null {
  // The part after a semicolon is for extensions.
  const [data = ""] = line.split(/[#;]/);
  const [system = "", accountId = "", relation = "", certification = ""] = data.split(",").map((field) => field.trim());
  const kind = relation.toUpperCase();
  if (kind !== "DIRECT" && kind !== "RESELLER") return null;
  if (!DOMAIN.test(system.toLowerCase()) || !FIELD.test(accountId)) return null;
  return {
    system: system.toLowerCase(),
    accountId,
    relation: kind,
    ...(FIELD.test(certification) && { certification }),
  };
}

/** All records of a file, in order. */
export const readRecords = (file: string): AppAdsRecord[] =>
  file.split(/\r\n|\r|\n/).flatMap((line) => readRecord(line) ?? []);

export const writeRecord = ({ system, accountId, relation, certification }: AppAdsRecord): string =>
  [system, accountId, relation, ...(certification === undefined ? [] : [certification])].join(", ");

/** The part that identifies a record; the certification id is not included. */
export const sameness = ({ system, accountId, relation }: AppAdsRecord): string => `${system},${accountId},${relation}`;

/** An account's file: its owner domain (section 3.4.4 of 1.1) and its records. */
export function writeFile(content: {
  ownerDomain: string | null;
  managerDomain: string;
  lines: readonly string[];
}): string {
  const variables = [
    ...(content.ownerDomain === null ? [] : [`OWNERDOMAIN=${content.ownerDomain}`]),
    ...(DOMAIN.test(content.managerDomain) ? [`MANAGERDOMAIN=${content.managerDomain}`] : []),
  ];
  return `${[...variables, ...content.lines].join("\n")}\n`;
}
