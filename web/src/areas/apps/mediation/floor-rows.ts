import { FORMATS, type Floor, type Format, TEXTS } from "@millrace/contract";
import { decimalDollars } from "@millrace/units";
import { microsOf } from "../../../shared/micros-of.ts";

/** A floor as typed. An empty country or format matches all. */
export interface FloorRow {
  /** Identifies the row on screen. */
  key: number;
  country: string;
  format: string;
  floor: string;
}

const MOST_MICROS = 1_000_000_000;

export const rowsOf = (floors: readonly Floor[]): FloorRow[] =>
  floors.map(({ country, format, floor }, key) => ({
    key,
    country: country ?? "",
    format: format ?? "",
    floor: decimalDollars(floor),
  }));

/** The requests that a floor is for; an empty country or format matches all. */
export type FloorRule = Pick<FloorRow, "country" | "format">;

export const rowOf = (rows: readonly FloorRow[], { country, format }: FloorRule): FloorRow | undefined =>
  rows.find((row) => row.country === country && row.format === format);

/** The rows after an amount is typed for a rule. A rule that is new and has no amount has no row. */
export function withFloor(rows: readonly FloorRow[], rule: FloorRule, floor: string, isNew: boolean): FloorRow[] {
  const row = rowOf(rows, rule);
  if (row && isNew && floor === "") return rows.filter((other) => other !== row);
  if (row) return rows.map((other) => (other === row ? { ...row, floor } : other));
  const key = Math.max(-1, ...rows.map((other) => other.key)) + 1;
  return [...rows, { key, country: rule.country, format: rule.format, floor }];
}

/** The meaning of rows, regardless of their keys and of how amounts are written. */
export const meaningOf = (rows: readonly FloorRow[]): string =>
  JSON.stringify(rows.map(({ country, format, floor }) => [country, format, microsOf(floor) ?? floor]));

/** The error of each row by its key. */
export function floorFaults(rows: readonly FloorRow[]): ReadonlyMap<number, string> {
  const faults = new Map<number, string>();
  const seen = new Set<string>();
  for (const { key, country, format, floor } of rows) {
    const micros = microsOf(floor);
    const aim = `${country} ${format}`;
    if (floor.trim() === "") faults.set(key, TEXTS.required);
    else if (micros === null) faults.set(key, "Add an amount in $, with at most 6 decimals");
    else if (micros > MOST_MICROS) faults.set(key, "Must be at most $1,000");
    else if (seen.has(aim)) faults.set(key, "This country and format are listed twice");
    seen.add(aim);
  }
  return faults;
}

/** The floors of valid rows. */
export const floorsOf = (rows: readonly FloorRow[]): Floor[] =>
  rows.map(({ country, format, floor }) => ({
    country: country === "" ? null : country,
    format: FORMATS.find((known): known is Format => known === format) ?? null,
    floor: microsOf(floor) ?? 0,
  }));
