import type { Format } from "@millrace/contract";
import { floorAtStep, floorChoices, stepOfFloor } from "@millrace/learning";
import { medianCpm } from "../market.ts";

/** This app has automatic floors. Few bidders buy audio there, and two of them pay a floor above their usual bid. */
export const AUTOMATIC_FLOORS = {
  slug: "quiet-radio-android",
  platform: "android",
  format: "audio",
  countries: ["US", "GB", "DE", "CA", "AU"],
  /** They were switched on so many days before the end of history. */
  days: 28,
} as const;

/** The learned floor as a multiple of the market's median bid. */
const LEARNED_SHARE = 1.6;

/** What was learned in history, as a step of the scale of automatic floors; null where floors are not automatic. */
export function learnedStep(slug: string, format: Format, country: string): number | null {
  const { platform, countries } = AUTOMATIC_FLOORS;
  if (slug !== AUTOMATIC_FLOORS.slug || format !== AUTOMATIC_FLOORS.format) return null;
  if (!countries.some((each) => each === country)) return null;
  return stepOfFloor(medianCpm(format, country, platform) * LEARNED_SHARE * 1_000_000);
}

/** The scale, in dollars CPM by step from 1. */
const SCALE = Array.from({ length: 150 }, (_, nth) => floorAtStep(nth + 1) / 1_000_000);

/**
 * SQL columns with the arm of a request's floor, drawn as the exchange draws it, and the floor in dollars CPM (`least_cpm`).
 * `lastDay` is the last day of history, in days since the epoch.
 */
export function drawnFloor(lastDay: number): string {
  const choices = floorChoices(false);
  let reached = 0;
  const bounds = choices.map(({ probability }) => (reached += probability));
  const chances = choices.map(({ probability }) => probability);
  const arms = choices.map(({ value }) => `'${value.arm}'`);
  const shocks = choices.map(({ value }) => value.shock);
  return `place.learned[zone_number] AS learned,
      uniform(request, 'floor') AS draw,
      least(${choices.length}, 1 + arrayCount(bound -> bound <= draw, [${bounds.join(", ")}])) AS choice,
      if(learned = 0 OR day <= ${lastDay - AUTOMATIC_FLOORS.days}, '', [${arms.join(", ")}][choice]) AS floor_arm,
      if(floor_arm = '', 0, [${chances.join(", ")}][choice]) AS floor_probability,
      if(floor_arm IN ('learned', 'shock'), learned + [${shocks.join(", ")}][choice], 0) AS floor_step,
      greatest(place.floor[zone_number], if(floor_step = 0, 0, [${SCALE.join(", ")}][floor_step])) AS least_cpm`;
}
