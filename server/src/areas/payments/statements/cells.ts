import type { ParsedLine } from "./parse-statement.ts";
import { microsAt } from "./statement-values.ts";

/** What a statement says of a day of an app. */
export interface Cell {
  day: string;
  appId: number;
  impressions: number;
  reportedMicros: bigint;
  /** At the rate when the ads were shown. */
  shownMicros: bigint;
}

export const keyOf = (day: string, appId: number): string => `${day} ${appId}`;

/**
 * Adds up a statement's lines by day and app, since partners also break days down by country or placement. An amount is converted once it is
 * added up, so that rounding lines changes no sum.
 */
export function addUp(
  lines: readonly (ParsedLine & { appId: number })[],
  { rate, shownRate }: { rate: bigint; shownRate: bigint },
): Cell[] {
  const sums = new Map<string, { day: string; appId: number; impressions: number; units: bigint }>();
  for (const { day, appId, impressions, units } of lines) {
    const key = keyOf(day, appId);
    const sum = sums.get(key) ?? { day, appId, impressions: 0, units: 0n };
    sums.set(key, { ...sum, impressions: sum.impressions + impressions, units: sum.units + units });
  }
  return [...sums.values()].map(({ units, ...cell }) => ({
    ...cell,
    reportedMicros: microsAt(units, rate),
    shownMicros: microsAt(units, shownRate),
  }));
}
