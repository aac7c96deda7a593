import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALPHA2, ALPHA3 } from "./country-codes.data.ts";
import { countryOf, openGeo } from "./geo.ts";
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
