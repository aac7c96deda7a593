import { WORLD_REGIONS, UNKNOWN_COUNTRY } from "@millrace/contract";
import { expect, test } from "vitest";
import { COUNTRY_CODES } from "./country-codes.data.ts";
import { COUNTRY_WORLD_REGIONS, worldRegionOf } from "./world-region.ts";

test("every country belongs to exactly one world region, and the table has no other code", () => {
  expect(COUNTRY_WORLD_REGIONS.map(([country]) => country).toSorted()).toEqual(COUNTRY_CODES.toSorted());
  for (const country of COUNTRY_CODES) expect(WORLD_REGIONS).toContain(worldRegionOf(country));
});

test.each([
  ["americas", ["US", "CA", "MX", "BR", "AR", "PR", "GL"]],
  ["emea", ["DE", "GB", "RU", "TR", "IL", "AE", "SA", "EG", "ZA", "NG", "KZ", "IR"]],
  ["apac", ["JP", "KR", "CN", "TW", "HK", "IN", "PK", "ID", "VN", "AU", "NZ"]],
])("%s has the countries that the trade counts there", (region, countries) => {
  expect(countries.filter((country) => worldRegionOf(country) !== region)).toEqual([]);
});

test("an unknown country has no world region", () => {
  for (const unknown of [UNKNOWN_COUNTRY, "", "de", "__proto__"]) expect(worldRegionOf(unknown)).toBeUndefined();
});
