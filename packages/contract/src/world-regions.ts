/** The parts of the world in which partners buy, as the trade names them. */
export const WORLD_REGIONS = ["americas", "emea", "apac"] as const;
export type WorldRegion = (typeof WORLD_REGIONS)[number];

export const WORLD_REGION_LABELS = {
  americas: "Americas",
  emea: "Europe, Middle East, Africa",
  apac: "Asia-Pacific",
} as const satisfies Record<WorldRegion, string>;
