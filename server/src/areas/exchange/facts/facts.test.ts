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
    ["EE", "784", "EE-37"],
    ["IS", "RKV", "IS-1"],
    ["DK", "101", "DK-84"],
    ["HU", "DE", "HU-HB"],
    ["TH", "S", "TH-20"],
    ["GQ", "AN", "GQ-I"],
    ["PK", "TA", "PK-KP"],
    // Another country's, none, a name, groups of regions, former ones that are in several, and what is no text.
    ["DE", "US-CA", null],
    ["XX", "CA", null],
    ["US", "California", null],
    ["GB", "UKM", null],
    ["ID", "JW", null],
    ["LU", "D", null],
    ["DK", "076", null],
    ["GH", "BA", null],
    ["US", "", null],
    ["US", undefined, null],
    ["US", 6, null],
  ] as const)
    expect([country, named, regionOf(country, named)]).toEqual([country, named, region]);
});

const offeredIn = (country: string) => [...REGIONS.keys()].filter((code) => countryOfRegion(code) === country);

test("regions are those of known countries", () => {
  // Another number means other data of the package: look whether an added region is in another before changing it here.
  expect(REGIONS.size).toBe(3597);
  for (const code of REGIONS.keys()) {
    expect(code).toMatch(REGION);
    expect(ALPHA3.has(countryOfRegion(code))).toBe(true);
    expect(regionOf(countryOfRegion(code), code)).toBe(code);
  }
  expect([offeredIn("DE").length, offeredIn("IT").length, REGIONS.get("US-CA")]).toEqual([16, 20, "California"]);
});

// Countries of which the package lists several levels beside each other.
test.each([
  ["BE", "BRU VLG WAL"],
  ["DK", "81 82 83 84 85"],
  ["EE", "37 39 45 50 52 56 60 64 68 71 74 79 81 84 87"],
  ["GB", "ENG NIR SCT WLS"],
  ["GH", "AA AF AH BE BO CP EP NE NP OT SV TV UE UW WN WP"],
  ["GQ", "C I"],
  ["HU", "BA BE BK BU BZ CS FE GS HB HE JN KE NO PE SO SZ TO VA VE ZA"],
  [
    "ID",
    `AC BA BB BE BT GO JA JB JI JK JT KB KI KR KS KT KU LA MA MU NB NT PA PB PD PE PS PT RI SA SB SG SN SR SS ST SU YO`,
  ],
  ["IS", "1 2 3 4 5 6 7 8"],
  ["LU", "CA CL DI EC ES GR LU ME RD RM VD WI"],
  ["PK", "BA GB IS JK KP PB SD"],
])("regions of %s are of one level", (country, codes) => {
  expect(offeredIn(country)).toEqual(codes.split(" ").map((code) => `${country}-${code}`));
});

test("regions of a country have codes of one shape, but where cities or territories are beside provinces", () => {
  const shapeOf = (code: string) => code.slice(3).replaceAll(/[0-9]/g, "9").replaceAll(/[A-Z]/g, "A");
  const shapesOf = (country: string) => new Set(offeredIn(country).map(shapeOf));
  const countries = new Set([...REGIONS.keys()].map(countryOfRegion));
  const mixed = [...countries].filter((country) => shapesOf(country).size > 1);
  // Each was looked at: none of its regions is in another.
  expect(mixed.join(" ")).toBe(
    "AU AZ BT BZ CF CG CO CR EC EG FR GR GW IL KG KH LV ML MN MV MZ NL PA PY RO RS RU SE SL ST VN ZA",
  );
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
