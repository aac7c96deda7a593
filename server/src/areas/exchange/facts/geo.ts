import { createRequire } from "node:module";
import { UNKNOWN_COUNTRY } from "@millrace/contract";
import { type CountryResponse, open } from "maxmind";
import { ALPHA2, ALPHA3 } from "./country-codes.data.ts";

/** The country of an address, ISO 3166-1 alpha-2; `XX` if unknown. */
export type Geo = (ip: string) => string;

const DATABASE = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** Opens the bundled country database. */
export async function openGeo(): Promise<Geo> {
  const path = createRequire(import.meta.url).resolve(DATABASE);
  // This database has the country at the top of a record, not under `country`.
  const reader = await open<CountryResponse & { country_code?: string }>(path, { cache: { max: 10_000 } });
  return (ip) => {
    try {
      const found = reader.get(ip.startsWith("::ffff:") ? ip.slice(7) : ip);
      const country = found?.country_code ?? found?.country?.iso_code;
      return country !== undefined && ALPHA3.has(country) ? country : UNKNOWN_COUNTRY;
    } catch {
      return UNKNOWN_COUNTRY;
    }
  };
}

/** The alpha-2 code of a country in a request, which has three letters in the standard and two in practice. */
export function countryOf(code: string | undefined): string {
  const upper = code?.toUpperCase() ?? "";
  return ALPHA2.get(upper) ?? (ALPHA3.has(upper) ? upper : UNKNOWN_COUNTRY);
}
