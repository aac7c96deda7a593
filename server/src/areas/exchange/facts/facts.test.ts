import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { consentOf, decodeTcf } from "./consent.ts";
import { ALPHA2, ALPHA3 } from "./country-codes.data.ts";
import { countryOf, openGeo } from "./geo.ts";
import { userAgentFacts } from "./user-agent.ts";

/** Writes a TCF 2 core segment. */
function tcf(vendorIds: number[], { purposes = [1, 2], asRanges = false, version = 2 } = {}): string {
  let bits = "";
  const put = (value: number, width: number) => (bits += value.toString(2).padStart(width, "0"));
  put(version, 6);
  for (const width of [36, 36, 12, 12, 6, 12, 12, 6, 1, 1, 12]) put(0, width);
  for (let purpose = 1; purpose <= 24; purpose++) put(purposes.includes(purpose) ? 1 : 0, 1);
  for (const width of [24, 1, 12]) put(0, width);
  const max = Math.max(0, ...vendorIds);
  put(max, 16);
  put(asRanges ? 1 : 0, 1);
  if (asRanges) {
    put(vendorIds.length, 12);
    for (const id of vendorIds) {
      put(1, 1);
      put(id, 16);
      put(id, 16);
    }
  } else for (let id = 1; id <= max; id++) put(vendorIds.includes(id) ? 1 : 0, 1);
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2)) ?? [];
  return Buffer.from(bytes).toString("base64url");
}

test("vendor consents are read from both encodings", () => {
  const sets = fc.uniqueArray(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sets, fc.boolean(), (ids, asRanges) => {
      const sorted = ids.toSorted((a, b) => a - b);
      expect(decodeTcf(`${tcf(sorted, { asRanges })}.YAAAAAAAAAAA`)).toEqual({
        vendorIds: sorted,
        storage: true,
        basicAds: true,
      });
    }),
  );
});

test("a published example reads as its makers say", () => {
  // The example of the IAB's own library: purposes 1 to 3, vendors 2, 6 and 8, as ranges.
  expect(
    decodeTcf(
      "COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw",
    ),
  ).toEqual({
    vendorIds: [2, 6, 8],
    storage: true,
    basicAds: true,
  });
});

test("whatever cannot be read allows nothing, and never throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
      ),
      (text) => {
        const { vendorIds } = decodeTcf(text);
        expect(vendorIds.length).toBeLessThanOrEqual(65_536);
      },
    ),
  );
  expect(decodeTcf(tcf([5], { version: 1 }))).toEqual({ vendorIds: [], storage: false, basicAds: false });
  expect(decodeTcf(tcf([5]).slice(0, 36)).vendorIds).toEqual([]);
});

test("who may be asked follows the law that applies", () => {
  const consent = tcf([7, 9]);
  expect(consentOf(undefined, undefined)).toEqual({
    consent: { gdprApplies: false, vendorIds: [] },
    mayIdentify: true,
  });
  expect(consentOf({ gdpr: 0 }, { consent })).toMatchObject({ consent: { gdprApplies: false }, mayIdentify: true });
  expect(consentOf({ gdpr: 1 }, { consent })).toEqual({
    consent: { gdprApplies: true, vendorIds: [7, 9] },
    mayIdentify: true,
  });
  expect(consentOf({ ext: { gdpr: 1 } }, { ext: { consent } })).toMatchObject({ consent: { vendorIds: [7, 9] } });
  expect(consentOf({ gdpr: 1 }, undefined)).toEqual({
    consent: { gdprApplies: true, vendorIds: [] },
    mayIdentify: false,
  });
  expect(consentOf({ gdpr: 1 }, { consent: tcf([7], { purposes: [1] }) }).consent.vendorIds).toEqual([]);
  expect(consentOf({ gdpr: 1 }, { consent: tcf([7], { purposes: [2] }) })).toMatchObject({ mayIdentify: false });
  expect(consentOf({ coppa: 1 }, undefined).mayIdentify).toBe(false);
});

test("addresses have countries", async () => {
  const geo = await openGeo();
  expect(geo("8.8.8.8")).toBe("US");
  expect(geo("::ffff:8.8.8.8")).toBe("US");
  expect(geo("2a00:1450:4001:81b::200e")).toMatch(/^[A-Z]{2}$/);
  for (const none of ["127.0.0.1", "10.0.0.1", "::1", "", "not an address"]) expect(geo(none)).toBe("XX");
});

test("countries are named by two letters here and three there", () => {
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

test("a user agent tells its device, and none tells nothing", () => {
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

test("texts that are sent to fill the memory are read and let go", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const every = Array.from({ length: 20_000 }, (_, index) => index + 1);
  const before = held();
  for (let nth = 0; nth < 200; nth++) {
    const long = randomBytes(100_000).toString("hex");
    expect(userAgentFacts(`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${long}`).os).toBe("Android");
    expect(consentOf({ gdpr: 1 }, { consent: long }).mayIdentify).toBe(false);
    if (nth % 10 !== 0) continue;
    const vendors = every.slice(nth);
    expect(consentOf({ gdpr: 1 }, { consent: tcf(vendors) }).consent.vendorIds).toEqual(vendors);
  }
  expect(held() - before).toBeLessThan(2_000_000);
}, 60_000);
