import { countryOfRegion } from "@millrace/contract";
import { iso31662 } from "iso-3166";

const GB_PARENTS = {
  "GB-SCT":
    "ABD ABE AGB ANS CLK DGY DND EAY EDH EDU ELN ELS ERW FAL FIF GLG HLD IVC MLN MRY NAY NLK ORK PKN RFW SAY SCB SLK STG WDU WLN ZET",
  "GB-WLS": "AGY BGE BGW CAY CGN CMN CRF CWY DEN FLN GWN MON MTY NTL NWP PEM POW RCT SWA TOF VGL WRX",
  "GB-NIR": "ABC AND ANN BFS CCG DRS FMO LBC MEA MUL NMD",
};
const BE_PARENTS = { "BE-VLG": "VAN VBR VLI VOV VWV", "BE-WAL": "WBR WHT WLG WLX WNA" };
/** Groups of the United Kingdom's nations, which are no places of their own. */
const GROUPS = new Set(["GB-EAW", "GB-GBN", "GB-UKM"]);

/** The parents that ISO 3166-2 has and the package does not. */
const PARENTS = new Map<string, string>(
  Object.entries({ ...GB_PARENTS, ...BE_PARENTS }).flatMap(([parent, codes]) =>
    codes.split(" ").map((code) => [`${countryOfRegion(parent)}-${code}`, parent]),
  ),
);
const NATIONS = new Set([...Object.keys(GB_PARENTS), "GB-ENG"]);

/** The subdivision or country that a subdivision is in. All of the United Kingdom that is in no other nation is in England. */
function parentOf(code: string, parent: string): string {
  const isEnglish = code.startsWith("GB-") && !NATIONS.has(code);
  return PARENTS.get(code) ?? (isEnglish ? "GB-ENG" : parent);
}

const SUBDIVISIONS: readonly { code: string; name: string; parent: string }[] = iso31662.filter(
  ({ code }) => !GROUPS.has(code),
);
const parents = new Map<string, string>(SUBDIVISIONS.map(({ code, parent }) => [code, parentOf(code, parent)]));

/** Names of the largest subdivisions of every country by code: those that are in no other. ISO 3166-2. */
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
 * is in. Null if it names none of the country's.
 */
export function regionOf(country: string, named: unknown): string | null {
  if (typeof named !== "string" || named === "") return null;
  const code = named.toUpperCase();
  return REGION_OF.get(code.startsWith(`${country}-`) ? code : `${country}-${code}`) ?? null;
}
