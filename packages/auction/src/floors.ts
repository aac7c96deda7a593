import type { AdFormat, FloorRule } from "./input.ts";

/** The highest floor for each country and format; undefined means every one. */
type FloorTable = ReadonlyMap<FloorRule["country"], ReadonlyMap<FloorRule["format"], number>>;

// An app's rules are the same list in every auction until they are replaced, and there may be a thousand.
const tables = new WeakMap<readonly FloorRule[], FloorTable>();

function tableOf(rules: readonly FloorRule[]): FloorTable {
  const known = tables.get(rules);
  if (known !== undefined) return known;
  const table = new Map<FloorRule["country"], Map<FloorRule["format"], number>>();
  for (const { country, format, floorMicros } of rules) {
    const byFormat = table.get(country) ?? new Map<FloorRule["format"], number>();
    byFormat.set(format, Math.max(floorMicros, byFormat.get(format) ?? 0));
    table.set(country, byFormat);
  }
  tables.set(rules, table);
  return table;
}

/**
 * The publisher's floor for a country and format, CPM in micro-dollars; 0 without a rule. The most specific rule
 * applies: country and format, country, format, everything; of two equal ones the higher. Rules are indexed once, so
 * the list must not change afterwards.
 */
export function publisherFloorMicros(rules: readonly FloorRule[], country: string | null, format: AdFormat): number {
  if (rules.length === 0) return 0;
  const table = tableOf(rules);
  const everywhere = table.get(undefined);
  const here = country === null ? undefined : table.get(country);
  return here?.get(format) ?? here?.get(undefined) ?? everywhere?.get(format) ?? everywhere?.get(undefined) ?? 0;
}

/** The higher of the publisher's floor and another. CPM in micro-dollars. */
export function floorMicros(
  rules: readonly FloorRule[],
  otherMicros: number,
  country: string | null,
  format: AdFormat,
): number {
  return Math.max(publisherFloorMicros(rules, country, format), otherMicros);
}
