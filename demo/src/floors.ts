import type { Format } from "@millrace/contract";
import { BASE_CPM } from "./market.ts";

/** A bid floor of the demo's publisher in dollars CPM. Each format has one for all countries and a higher one for the United States. */
export interface DemoFloor {
  format: Format;
  country: string | null;
  cpm: number;
}

const WORLD_SHARE = 0.09;
const UNITED_STATES_SHARE = 0.55;

export const DEMO_FLOORS: readonly DemoFloor[] = (Object.entries(BASE_CPM) as [Format, number][]).flatMap(
  ([format, cpm]) => [
    { format, country: null, cpm: cpm * WORLD_SHARE },
    { format, country: "US", cpm: cpm * UNITED_STATES_SHARE },
  ],
);

/** The floor of a format in a country, falling back to the floor for all countries. */
export function floorCpm(format: Format, country: string): number {
  const floors = DEMO_FLOORS.filter((floor) => floor.format === format);
  return (
    (floors.find((floor) => floor.country === country) ?? floors.find((floor) => floor.country === null))?.cpm ?? 0
  );
}
