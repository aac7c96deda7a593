import { createRequire } from "node:module";
import { open } from "maxmind";
import type { CountryResponse } from "maxmind";
import { seededRandom } from "../random.ts";

/** Addresses by country, according to the database that the platform uses. */
export type Addresses = ReadonlyMap<string, readonly string[]>;

const DATABASE = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";
/** Small countries have a few thousandths of all addresses; this many tries find enough in each. */
const MAX_TRIES = 2_000_000;

/** Draws addresses until every country has `perCountry`. The same seed and database give the same addresses. */
export async function findAddresses(
  seed: string,
  countries: readonly string[],
  perCountry: number,
): Promise<Addresses> {
  const reader = await open<CountryResponse & { country_code?: string }>(
    createRequire(import.meta.url).resolve(DATABASE),
  );
  const random = seededRandom(seed, "addresses");
  const found = new Map<string, string[]>(countries.map((country) => [country, []]));
  let missing = countries.length * perCountry;
  for (let tries = 0; missing > 0 && tries < MAX_TRIES; tries++) {
    const address = [
      random.integer(1, 223),
      random.integer(0, 255),
      random.integer(0, 255),
      random.integer(1, 254),
    ].join(".");
    const record = reader.get(address);
    const list = found.get(record?.country_code ?? record?.country?.iso_code ?? "");
    if (list === undefined || list.length >= perCountry) continue;
    list.push(address);
    missing -= 1;
  }
  return found;
}
