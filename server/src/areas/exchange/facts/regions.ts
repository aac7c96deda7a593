import { countryOfRegion } from "@millrace/contract";
import { iso31662 } from "iso-3166";
import { PARTS, WITHOUT_REGION } from "./region-parents.data.ts";

const PARENTS = new Map<string, string>(
  Object.entries(PARTS).flatMap(([parent, codes]) =>
    codes.split(" ").map((code) => [`${countryOfRegion(parent)}-${code}`, parent]),
  ),
);
const NATIONS = new Set(["GB-ENG", "GB-NIR", "GB-SCT", "GB-WLS"]);

/** The subdivision or country that a subdivision is in. All of the United Kingdom that is in no other nation is in England. */
function parentOf(code: string, parent: string): string {
  const isEnglish = code.startsWith("GB-") && !NATIONS.has(code);
  return PARENTS.get(code) ?? (isEnglish ? "GB-ENG" : parent);
}

const SUBDIVISIONS: readonly { code: string; name: string; parent: string }[] = iso31662.filter(
  ({ code }) => !WITHOUT_REGION.has(code),
);
const parents = new Map<string, string>(SUBDIVISIONS.map(({ code, parent }) => [code, parentOf(code, parent)]));

/** Names of the largest subdivisions of every country by code, of which no two overlap. ISO 3166-2. */
export const REGIONS: ReadonlyMap<string, string> = new Map(
  SUBDIVISIONS.filter(({ code }) => parents.get(code) === countryOfRegion(code)).map(({ code, name }) => [code, name]),
);

/** The region that each subdivision is in: itself, if it is one. */
const REGION_OF: ReadonlyMap<string, string> = new Map(
  SUBDIVISIONS.flatMap(({ code }) => {
    let region: string | undefined = code;
    while (region !== undefined && !REGIONS.has(region)) region = parents.get(region);
    return region === undefined ? [] : [[code, region] as const];
  }),
);

/**
 * The region that a request names, with or without its country's code before it: of a smaller subdivision, the region that it
 * is in. Null if it names none of the country's, or one that has parts in several regions.
 */
export function regionOf(country: string, named: unknown): string | null {
  if (typeof named !== "string" || named === "") return null;
  const code = named.toUpperCase();
  return REGION_OF.get(code.startsWith(`${country}-`) ? code : `${country}-${code}`) ?? null;
}
