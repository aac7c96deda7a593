import type { AdFormat, FloorRule } from "./input.ts";

/** How closely a rule is aimed: at country and format, at the country, at the format, at everything. */
const aim = ({ country, format }: FloorRule): number =>
  (country === undefined ? 0 : 2) + (format === undefined ? 0 : 1);

/**
 * The publisher's floor for a country and format, CPM in micro-dollars; 0 without a rule. The most closely aimed rule
 * counts, country before format; of two alike the higher one.
 */
export function publisherFloorMicros(rules: readonly FloorRule[], country: string | null, format: AdFormat): number {
  let best: FloorRule | undefined;
  for (const rule of rules) {
    if (rule.country !== undefined && rule.country !== country) continue;
    if (rule.format !== undefined && rule.format !== format) continue;
    const lead = best === undefined ? 1 : aim(rule) - aim(best);
    if (lead > 0 || (lead === 0 && rule.floorMicros > (best?.floorMicros ?? 0))) best = rule;
  }
  return Math.max(0, best?.floorMicros ?? 0);
}

/** What a bid must reach: the publisher's floor or the request's, the higher one. CPM in micro-dollars. */
export function floorMicros(
  rules: readonly FloorRule[],
  requestFloorMicros: number,
  country: string | null,
  format: AdFormat,
): number {
  return Math.max(publisherFloorMicros(rules, country, format), requestFloorMicros);
}
