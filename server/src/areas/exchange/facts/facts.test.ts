import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countryOfRegion, REGION } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALPHA2, ALPHA3 } from "./country-codes.data.ts";
import { countryOf, openGeo } from "./geo.ts";
import { REGIONS, regionOf } from "./regions.ts";
import { userAgentFacts } from "./user-agent.ts";

test("addresses have countries", async () => {
  const geo = await openGeo();
  expect(geo("8.8.8.8")).toBe("US");
  expect(geo("::ffff:8.8.8.8")).toBe("US");
  expect(geo("2a00:1450:4001:81b::200e")).toMatch(/^[A-Z]{2}$/);
  for (const none of ["127.0.0.1", "10.0.0.1", "::1", "", "not an address"]) expect(geo(none)).toBe("XX");
});

test("countries have two-letter and three-letter codes", () => {
  expect(ALPHA3.size).toBe(249);
  expect(ALPHA2.size).toBe(249);
  expect([countryOf("DEU"), countryOf("de"), countryOf("usa"), countryOf(undefined), countryOf("??")]).toEqual([
    "DE",
    "DE",
    "US",
    "XX",
    "XX",
  ]);
});

test("a request names its region with or without the country, and a smaller subdivision is in one", () => {
  for (const [country, named, region] of [
    ["US", "CA", "US-CA"],
    ["US", "us-ca", "US-CA"],
    ["DE", "BY", "DE-BY"],
    ["FR", "75C", "FR-IDF"],
    ["IT", "MI", "IT-25"],
    ["GB", "ENG", "GB-ENG"],
    ["GB", "LND", "GB-ENG"],
    ["GB", "GLG", "GB-SCT"],
    ["BE", "VAN", "BE-VLG"],
    // Another country's, none, a name, a group of nations, and what is no text.
    ["DE", "US-CA", null],
    ["XX", "CA", null],
    ["US", "California", null],
    ["GB", "UKM", null],
    ["US", "", null],
    ["US", undefined, null],
    ["US", 6, null],
  ] as const)
    expect([country, named, regionOf(country, named)]).toEqual([country, named, region]);
});

test("regions are those of known countries, and none is in another", () => {
  expect(REGIONS.size).toBeGreaterThan(3500);
  for (const code of REGIONS.keys()) {
    expect(code).toMatch(REGION);
    expect(ALPHA3.has(countryOfRegion(code))).toBe(true);
    expect(regionOf(countryOfRegion(code), code)).toBe(code);
  }
  const of = (country: string) => [...REGIONS.keys()].filter((code) => countryOfRegion(code) === country);
  expect(of("GB")).toEqual(["GB-ENG", "GB-NIR", "GB-SCT", "GB-WLS"]);
  expect(of("BE")).toEqual(["BE-BRU", "BE-VLG", "BE-WAL"]);
  expect([of("DE").length, of("IT").length, REGIONS.get("US-CA")]).toEqual([16, 20, "California"]);
});

test("a user agent describes its device, and an empty one nothing", () => {
  const android =
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
  expect(userAgentFacts(android)).toMatchObject({ os: "Android", osv: "14", devicetype: 4 });
  expect(userAgentFacts("")).toEqual({});
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(userAgentFacts(text)).toBeTypeOf("object");
    }),
  );
});

test("long user agents do not stay in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  for (let nth = 0; nth < 200; nth++) {
    const long = randomBytes(100_000).toString("hex");
    expect(userAgentFacts(`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${long}`).os).toBe("Android");
  }
  expect(held() - before).toBeLessThan(2_000_000);
}, 60_000);
