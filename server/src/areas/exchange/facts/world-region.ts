import type { WorldRegion } from "@millrace/contract";

/**
 * The countries by the subregions of the United Nations (M49), and the world region to which the trade counts a subregion.
 * Central Asia and Iran are with Europe, because their traffic goes there. M49 does not list Taiwan, and has no region for
 * Antarctica.
 */
const SUBREGIONS: readonly (readonly [WorldRegion, string, string])[] = [
  ["americas", "Northern America", "BM CA GL PM US"],
  ["americas", "Caribbean", "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI"],
  ["americas", "Central America", "BZ CR GT HN MX NI PA SV"],
  ["americas", "South America", "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE"],
  ["emea", "Northern Europe", "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ"],
  ["emea", "Western Europe", "AT BE CH DE FR LI LU MC NL"],
  ["emea", "Eastern Europe", "BG BY CZ HU MD PL RO RU SK UA"],
  ["emea", "Southern Europe", "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA"],
  ["emea", "Northern Africa", "DZ EG EH LY MA SD TN"],
  ["emea", "Western Africa", "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG"],
  ["emea", "Middle Africa", "AO CD CF CG CM GA GQ ST TD"],
  ["emea", "Eastern Africa", "BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW"],
  ["emea", "Southern Africa", "BW LS NA SZ ZA"],
  ["emea", "Western Asia", "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE"],
  ["emea", "Central Asia, and Iran of Southern Asia", "IR KG KZ TJ TM UZ"],
  ["apac", "Southern Asia without Iran", "AF BD BT IN LK MV NP PK"],
  ["apac", "South-eastern Asia", "BN ID KH LA MM MY PH SG TH TL VN"],
  ["apac", "Eastern Asia, and Taiwan", "CN HK JP KP KR MN MO TW"],
  ["apac", "Australia and New Zealand, and Antarctica", "AQ AU CC CX HM NF NZ"],
  ["apac", "Melanesia", "FJ NC PG SB VU"],
  ["apac", "Micronesia", "FM GU KI MH MP NR PW UM"],
  ["apac", "Polynesia", "AS CK NU PF PN TK TO TV WF WS"],
];

/** Each country with its world region. */
export const COUNTRY_WORLD_REGIONS: readonly (readonly [string, WorldRegion])[] = SUBREGIONS.flatMap(
  ([region, , countries]) => countries.split(" ").map((country) => [country, region] as const),
);
const BY_COUNTRY: ReadonlyMap<string, WorldRegion> = new Map(COUNTRY_WORLD_REGIONS);

/** The world region of a country (ISO 3166-1 alpha-2); undefined if the country is unknown. */
export const worldRegionOf = (country: string): WorldRegion | undefined => BY_COUNTRY.get(country);
