import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { namesFewVendors } from "./names-few-vendors.ts";
import { readGpp } from "./read-gpp.ts";
import { mayByTcfCanada } from "./read-tcf-canada.ts";
import { TCF_MAY, tcfReader } from "./read-tcf.ts";
import { CONSENTED, gpp, INTERESTED, restriction, tcf, vendorListOf } from "../testing/consent-strings.ts";
import { loadVendorList } from "./vendor-list.ts";

const vendors = new Map([INTERESTED, CONSENTED].map((vendor) => [vendor.id, vendor]));

/** The bits of a base64url text, the encoding of the standard's strings. */
const ofBits = (bits: string) =>
  Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2))).toString(
    "base64url",
  );
const bit = (value: number, width: number) => value.toString(2).padStart(width, "0");

/** The core segment of a TCF 2 string, up to its vendor list. */
const coreHead = bit(2, 6) + bit(0, 207);
const everyVendor = bit(1, 1) + bit(1, 16) + bit(65_535, 16);

test("a published string has the documented content", () => {
  // The example of the IAB's own library: purposes 1 to 3, vendors 2, 6 and 8.
  const published =
    "COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw";
  const may = tcfReader(new Map());
  expect([2, 6, 8].map((id) => may(published, id))).toEqual([3, 3, 3]);
  expect([1, 3, 9, 52].map((id) => may(published, id))).toEqual([0, 0, 0, 0]);
});

test("since March 2026, a string is invalid if it does not say which vendors were disclosed; an older one stays valid", () => {
  const may = tcfReader(vendors);
  const made = (created: string, disclosed: number[] | null) =>
    may(tcf({ vendors: [91], purposes: [1, 2], disclosed, created: new Date(created) }), 91);
  const both = TCF_MAY.basicAds | TCF_MAY.storage;
  expect(made("2026-02-28T00:00:00Z", null)).toBe(both);
  expect(made("2026-03-01T00:00:00Z", null)).toBe(0);
  expect(made("2026-03-01T00:00:00Z", [])).toBe(0);
  expect(made("2026-03-01T00:00:00Z", [52])).toBe(0);
  expect(made("2026-03-01T00:00:00Z", [52, 91])).toBe(both);
});

test("an unreadable string allows nothing and never throws", () => {
  const may = tcfReader(vendors);
  const texts = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
    // Strings with a valid start.
    fc.nat(120).map((length) => tcf({ vendors: [52], purposes: [2] }).slice(0, length)),
    fc.stringMatching(/^[DBACLM~._19-]{0,40}$/).map((rest) => `D${rest}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(may(text, 52)).toBeTypeOf("number");
      readGpp(text);
    }),
  );
  expect(may(tcf({ vendors: [52], purposes: [1] }).replace(/^C/, "B"), 52)).toBe(0);
  expect(readGpp("DBABLA~")).toBeNull();
  expect(readGpp("CPok~CPok")).toBeNull();
});

test("a string with many ranges of all vendors is refused quickly", () => {
  const ranges = coreHead + bit(65_535, 16) + "1" + bit(1800, 12) + everyVendor.repeat(1800);
  const restrictions =
    coreHead +
    bit(0, 17) +
    bit(0, 17) +
    bit(40, 12) +
    (bit(2, 6) + bit(0, 2) + bit(40, 12) + everyVendor.repeat(40)).repeat(40);
  const disclosed = `${ofBits(coreHead + bit(0, 60))}.${ofBits(bit(1, 3) + bit(65_535, 16) + "1" + bit(1800, 12) + everyVendor.repeat(1800))}`;
  const may = tcfReader(vendors);
  const startedAt = performance.now();
  const texts = [ofBits(ranges).slice(0, 9996), ofBits(restrictions).slice(0, 9996), disclosed.slice(0, 9996)];
  for (const text of texts) {
    expect(namesFewVendors(text)).toBe(false);
    expect(may(text, 52)).toBe(0);
    expect(may(readGpp(`DBABMA~${text}`)?.tcf ?? "", 52)).toBe(0);
  }
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test("a TCF Canada string reads as the IAB's library writes it, whoever is in it", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1200 }), { maxLength: 60 });
  // Long runs are written as ranges, a few ids as a field of bits.
  const vendorIds = fc
    .tuple(ids, fc.nat(400))
    .map(([some, run]) => [...new Set([...some, ...Array.from({ length: run }, (_, index) => index + 1)])]);
  fc.assert(
    fc.property(vendorIds, vendorIds, vendorIds, (express, implied, forbidden) => {
      const text = gpp({
        tcfcav1: {
          VendorExpressConsent: express,
          VendorImpliedConsent: implied,
          PurposesExpressConsent: Array.from({ length: 24 }, (_, index) => index === 1),
          PurposesImpliedConsent: Array.from({ length: 24 }, (_, index) => index === 1),
          ...(forbidden.length > 0 && { PubRestrictions: [restriction(2, 0, forbidden)] }),
        },
      });
      const section = readGpp(text)?.tcfCanada ?? "";
      const may = (id: number) => (mayByTcfCanada(section, id) & TCF_MAY.basicAds) !== 0;
      const expected = (id: number) => (express.includes(id) || implied.includes(id)) && !forbidden.includes(id);
      for (const id of [1, 52, 399, 400, 401, ...express, ...implied, ...forbidden])
        expect([id, may(id)]).toEqual([id, expected(id)]);
    }),
    { numRuns: 30 },
  );
});

test("TCF Canada strings that cannot be read, or name all vendors again and again, allow nothing and keep nobody busy", () => {
  const fibonacci = (length: number) => `${"0".repeat(length - 2)}11`;
  const everybody = bit(65_535, 16) + "1" + bit(4095, 12) + `1${fibonacci(3)}${fibonacci(22)}`.repeat(2500);
  const core = bit(1, 6) + bit(0, 193);
  const startedAt = performance.now();
  for (const text of [ofBits(core + everybody), ofBits(core + everybody).slice(0, 9000), "B", "BAAA.IAAA", "B~~", "é"])
    expect(mayByTcfCanada(text, 52)).toBe(0);
  fc.assert(fc.property(fc.string(), (text) => mayByTcfCanada(text, 52) === 0));
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("a GPP header with too many sections is refused quickly", () => {
  const many = bit(3, 6) + bit(1, 6) + bit(1, 12) + `1011${"0".repeat(100)}11`;
  const text = ofBits(many);
  expect(text.startsWith("D")).toBe(true);
  const startedAt = performance.now();
  expect(readGpp(`${text}~CPok`)).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test("long strings do not stay in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const may = tcfReader(vendors);
  const before = held();
  for (let nth = 0; nth < 3000; nth++) {
    const noise = randomBytes(4500).toString("base64url");
    expect(may(noise, 52)).toBe(0);
    expect(readGpp(`DBABMA~${noise}`)?.tcf).toHaveLength(6000);
  }
  // Each cache holds at most four million characters.
  expect(held() - before).toBeLessThan(20_000_000);
}, 60_000);

test("a vendor's permissions do not change when they are read again after other strings", () => {
  const may = tcfReader(vendors);
  const one = tcf({ vendors: [91], purposes: [1, 2, 3, 4] });
  const other = tcf({ vendors: [52], purposes: [1, 3, 4], specialFeatures: [1] });
  const asked = () => [may(one, 91), may(one, 52), may(other, 91), may(other, 52)];
  const all = TCF_MAY.basicAds | TCF_MAY.storage | TCF_MAY.personalisedAds;
  const first = asked();
  expect(first).toEqual([all, 0, 0, TCF_MAY.storage | TCF_MAY.personalisedAds | TCF_MAY.preciseLocation]);
  expect(asked()).toEqual(first);
});

test("a GPP string contains its European section and the rules of each state", () => {
  const consent = tcf({ vendors: [91], purposes: [1, 2] });
  const read = readGpp(gpp({ tcfeuv2: consent, usnat: { SaleOptOut: 2 }, usca: { SaleOptOut: 1, Gpc: true } }));
  expect(read?.tcf?.startsWith(consent)).toBe(true);
  expect([...(read?.rulesOfUs ?? [])]).toEqual([
    [7, []],
    [8, ["us_opt_out", "global_privacy_control"]],
  ]);
});

/** The answers with which each state's section refuses the use of personal data beyond what was disclosed; 0 is no answer. */
const REFUSING_ANSWERS = {
  usfl: [1, 2],
  usmt: [1],
  usor: [1, 2],
  ustx: [1, 2],
  usde: [1],
  usne: [1],
  usnh: [1],
  usnj: [1],
  ustn: [1],
  usmn: [1],
  usmd: [1],
  usin: [1],
  usky: [1],
  usri: [1],
};

test.each(Object.entries(REFUSING_ANSWERS))(
  "a consent refused in the section %s of a state withholds personal data, also where its standard numbers the answers either way",
  (section, refusing) => {
    const rulesOf = (answer: number) => [
      ...(readGpp(gpp({ [section]: { AdditionalDataProcessingConsent: answer } }))?.rulesOfUs.values() ?? []),
    ];
    for (const answer of [0, 1, 2]) {
      expect(rulesOf(answer)).toEqual([refusing.includes(answer) ? ["us_no_consent"] : []]);
    }
  },
);

test("the operator's Global Vendor List takes precedence over the bundled one, without deleted vendors", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "vendors-")), "vendor-list.json");
  const gone = { ...CONSENTED, id: 92, deletedDate: "2026-02-01T00:00:00Z" };
  writeFileSync(path, JSON.stringify(vendorListOf([INTERESTED, gone])));
  const own = await loadVendorList();
  const list = await loadVendorList(path);
  expect(own.size).toBeGreaterThan(0);
  expect(list.size).toBe(own.size + 1);
  expect(list.get(52)).toMatchObject({ legIntPurposes: [2, 7], flexiblePurposes: [2] });
});

test.each(["", "{}", '{"vendors":{"1":{"id":"one"}}}'])(
  "a file %j that is not a Global Vendor List prevents the start, with the name of its setting",
  async (text) => {
    const path = join(mkdtempSync(join(tmpdir(), "vendors-")), "vendor-list.json");
    writeFileSync(path, text);
    await expect(loadVendorList(path)).rejects.toThrow(/GVL_FILE is not a Global Vendor List/);
  },
);

test("a missing file prevents the start, with the name of its setting", async () => {
  await expect(loadVendorList("/nowhere/vendor-list.json")).rejects.toThrow(/GVL_FILE cannot be read/);
});
