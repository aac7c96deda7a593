import { type DeviceFacts, type Targeting, deviceRefusal, placeRefusal, scheduleRefusal } from "@millrace/auction";
import { CAMPAIGN_PLATFORMS, countryOfRegion, UNKNOWN_COUNTRY } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testClickHouse } from "../../../platform/testing/stores.ts";
import { askStore } from "../ask-store.ts";
import { ANY_CAMPAIGN } from "../testing/any-campaign.ts";
import { auction, campaignMisses, keep } from "../testing/some-rows.ts";
import type { AuctionRow } from "../rows.ts";
import type { FitParams } from "./campaign-fit.ts";
import { type SpendingQuestion, spendingParts } from "./spending.ts";

const clickhouse = await testClickHouse();
const clock = { now: () => Date.parse("2026-03-20T00:00:00Z") };
const ask = () => askStore({ read: clickhouse.read, clock });
const range = { ds: "2026-03-10", de: "2026-03-12" };

const EVERYTHING: FitParams = { ...ANY_CAMPAIGN, sizes: ["320x50"] };
const partsOf = async (campaignId: number, fit: Partial<FitParams> = {}, some: Partial<SpendingQuestion> = {}) =>
  (
    await spendingParts(ask(), {
      campaignId,
      fit: { ...EVERYTHING, ...fit },
      range,
      bidMicros: 2_000_000,
      ownCampaigns: [],
      approvedAt: 0,
      ...some,
    })
  ).map(({ reason, auctions, needed }) => [reason, auctions, needed]);

const offer = (time: string, row: Partial<AuctionRow> = {}) =>
  auction(time, {
    demo: 1,
    campaign_platform: "android",
    os_major: 12,
    connection: "wifi",
    sizes: ["320x50"],
    price_micros: 1_000_000,
    floor_micros: 500_000,
    ...row,
  });

test("each auction has one reason, the first in the order in which an auction decides", async () => {
  const at = "2026-03-11T10:00:00Z";
  await keep(clickhouse, {
    auctions: [
      offer("2026-03-10T08:00:00Z", { country: "FR" }),
      offer("2026-03-12T23:00:00Z", { country: "FR" }),
      offer("2026-03-11T20:00:00Z", { country: "FR" }),
      offer(at, { country: "DE" }),
      offer(at, { country: "DE", sizes: ["728x90"] }),
      offer(at, { country: "DE", region: "DE-HH" }),
      offer(at, { country: "DE", region: "DE-BY", campaign_platform: "" }),
      offer(at, { country: "FR", campaign_platform: "iphone" }),
      offer(at, { campaign_platform: "", sizes: ["728x90"] }),
      offer(at, { os_major: 0 }),
      offer(at, { connection: "cellular", sizes: ["728x90"] }),
      offer(at, { sizes: ["728x90", "300x250"] }),
      offer("2026-03-10T09:30:00Z"),
      offer(at, { floor_micros: 3_000_000 }),
      offer(at, { floor_micros: 3_200_000, price_micros: 4_000_000 }),
      offer(at, { price_micros: 2_000_001 }),
      // Another campaign of the account's won: outbidding it would gain nothing.
      offer(at, { campaign_id: 6, price_micros: 4_000_000 }),
      offer(at, { campaign_id: 7, price_micros: 2_000_000, country: "FR" }),
      // Its ad was returned behind a partner's.
      offer(at, { campaign_ids: [8, 7], creative_ids: [81, 71], arms: ["", ""], price_micros: 3_000_000 }),
      ...Array.from({ length: 6 }, () => offer(at, { sizes: [] })),
      // Not opportunities: another format, another market, other days.
      offer(at, { format: "interstitial" }),
      offer(at, { demo: 0 }),
      offer("2026-03-13T00:00:00Z"),
    ],
    campaign_misses: [
      campaignMisses(at, { reason: "frequency_cap", auctions: 1 }),
      campaignMisses(at, { reason: "creative_misfit", auctions: 1 }),
      campaignMisses(at, { reason: "paced", auctions: 2 }),
      campaignMisses(at, { campaign_id: 8, reason: "paced", auctions: 9 }),
      campaignMisses("2026-03-13T00:00:00Z", { reason: "paced", auctions: 9 }),
    ],
  });
  const fit: Partial<FitParams> = {
    demo: 1,
    startsAt: Date.parse("2026-03-10T09:00:00Z"),
    endsAt: Date.parse("2026-03-12T22:00:00Z"),
    toMinute: 19 * 60 + 59,
    isIn: 1,
    countries: ["US", "DE"],
    regions: ["DE-BY"],
    countriesInPart: ["DE"],
    platforms: ["android"],
    androidMin: 9,
    androidMax: 12,
    wifiOnly: 1,
  };
  const parts = await partsOf(7, fit, { ownCampaigns: [6, 7], approvedAt: Date.parse("2026-03-10T10:00:00Z") });
  expect(parts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ["creative_misfit", 1, 0],
    ["floor", 2, 3_200_000],
    ["frequency_cap", 1, 0],
    ["geography", 1, 1_000_000],
    ["moderation", 1, 1_000_000],
    ["network", 1, 1_000_000],
    ["not_bought", 2, 0],
    ["not_started", 1, 1_000_000],
    ["off_hours", 1, 1_000_000],
    ["os_version", 1, 1_000_000],
    ["outbid", 1, 2_000_001],
    ["over", 1, 1_000_000],
    ["own_campaign", 1, 4_000_000],
    ["paced", 2, 0],
    ["platform", 2, 1_000_000],
    ["region", 1, 1_000_000],
    ["region_unknown", 2, 1_000_000],
    ["size", 1, 1_000_000],
    ["won", 2, 3_000_000],
  ]);
});

test("a gate that counted more auctions than there are takes no more than these", async () => {
  await keep(clickhouse, {
    campaign_misses: [
      campaignMisses("2026-03-11T10:00:00Z", { campaign_id: 9, reason: "paced", auctions: 1000 }),
      campaignMisses("2026-03-11T10:00:00Z", { campaign_id: 9, reason: "frequency_cap", auctions: 1 }),
    ],
  });
  const parts = await partsOf(9, { demo: 1, isIn: 1, countries: ["US"], platforms: ["android"] });
  const open = parts.filter(([reason]) => reason === "frequency_cap" || reason === "paced" || reason === "not_bought");
  expect(open.map(([reason]) => reason)).toEqual(["frequency_cap", "paced"]);
});

test("a market without auctions has no parts", async () => {
  expect(await partsOf(7, { formats: ["video"], media: ["video"] })).toEqual([]);
});

/** The plain count, one row after the other, by the rule that auctions use. */
function reasonOf(row: Row, fit: FitParams, { bidMicros }: { bidMicros: number }): string {
  if (row.campaign_id === 5) return "won";
  const targeting = targetingOf(fit);
  const device: DeviceFacts = {
    platform: null,
    country: row.country === UNKNOWN_COUNTRY ? null : row.country,
    region: row.region === "" ? null : row.region,
    campaignPlatform: row.campaign_platform === "" ? null : row.campaign_platform,
    osVersion: row.os_major === 0 ? null : `${row.os_major}.1`,
    network: row.connection === "" ? null : row.connection,
  };
  const imp = { id: "1", banner: row.sizes.length === 0 ? {} : { format: row.sizes.map(sizeOf) } };
  const refusal =
    scheduleRefusal(targeting, Date.parse(row.time)) ??
    deviceRefusal(targeting, device) ??
    placeRefusal(targeting, { imp, format: "banner" });
  if (refusal !== undefined) return refusal;
  if (row.floor_micros > bidMicros) return "floor";
  return Math.max(row.price_micros, row.expected_micros) > bidMicros ? "outbid" : "not_bought";
}

const sizeOf = (size: string) => {
  const [w = 0, h = 0] = size.split("x").map(Number);
  return { w, h };
};

const targetingOf = (fit: FitParams): Targeting => ({
  startsAt: fit.startsAt,
  endsAt: fit.endsAt,
  days: fit.days,
  fromMinute: fit.fromMinute,
  toMinute: fit.toMinute,
  geo: fit.isIn === 1 ? "in" : "not_in",
  countries: fit.countries,
  regions: fit.regions,
  platforms: CAMPAIGN_PLATFORMS.filter((platform) => fit.platforms.includes(platform)),
  ios: fit.iosMax === 0 ? null : { min: fit.iosMin, max: fit.iosMax },
  android: fit.androidMax === 0 ? null : { min: fit.androidMin, max: fit.androidMax },
  wifiOnly: fit.wifiOnly === 1,
  format: "banner",
  sizes: fit.sizes.map(sizeOf),
});

/** Countries with the regions that their requests name. */
const somePlace = fc.constantFrom(
  ...[
    ["US", ""],
    ["US", "US-CA"],
    ["US", "US-TX"],
    ["DE", ""],
    ["DE", "DE-BY"],
    ["FR", ""],
    ["XX", ""],
  ].map(([country = "", region = ""]) => ({ country, region })),
);

const someRow = fc
  .record({
    time: fc
      .integer({ min: 0, max: 3 * 86_400_000 - 1 })
      .map((ms) => new Date(Date.parse("2026-03-10T00:00:00Z") + ms).toISOString()),
    place: somePlace,
    campaign_platform: fc.constantFrom("iphone" as const, "ipad" as const, "android" as const, "" as const),
    os_major: fc.constantFrom(0, 8, 12, 17),
    connection: fc.constantFrom("wifi" as const, "cellular" as const, "" as const),
    sizes: fc.subarray(["320x50", "300x250", "728x90"]),
    floor_micros: fc.constantFrom(0, 1_000_000, 3_000_000),
    price_micros: fc.constantFrom(0, 1_500_000, 2_000_000, 2_500_000),
    expected_micros: fc.constantFrom(0, 0, 0, 2_500_000),
    campaign_id: fc.constantFrom(0, 0, 0, 5, 6),
  })
  .map(({ place, ...row }) => ({ ...row, ...place }));
type Row = typeof someRow extends fc.Arbitrary<infer T> ? T : never;

function partsOfCountries(countries: readonly string[], named: readonly string[]) {
  const regions = named.filter((region) => countries.includes(countryOfRegion(region)));
  return { regions, countriesInPart: [...new Set(regions.map(countryOfRegion))] };
}

const someFit: fc.Arbitrary<FitParams> = fc
  .record({
    start: fc.integer({ min: -1, max: 40 }),
    end: fc.integer({ min: 41, max: 80 }),
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    hours: fc.tuple(fc.nat(1439), fc.nat(1439)),
    isIn: fc.constantFrom(0, 1),
    countries: fc.subarray(["US", "DE", "FR"]),
    named: fc.subarray(["US-CA", "US-NY", "DE-BY"]),
    platforms: fc.subarray([...CAMPAIGN_PLATFORMS], { minLength: 1 }),
    ios: fc.constantFrom([0, 0], [12, 17]),
    android: fc.constantFrom([0, 0], [9, 12]),
    wifiOnly: fc.constantFrom(0, 1),
    sizes: fc.subarray(["320x50", "300x250"], { minLength: 1 }),
  })
  .map(({ start, end, hours: [a, b], ios, android, named, ...rest }) => ({
    ...rest,
    ...partsOfCountries(rest.countries, named),
    formats: ["rewarded"],
    media: ["video"],
    demo: 0,
    startsAt: Date.parse("2026-03-10T00:00:00Z") + start * 3_600_000,
    endsAt: Date.parse("2026-03-10T00:00:00Z") + end * 3_600_000,
    fromMinute: Math.min(a, b),
    toMinute: Math.max(a, b),
    iosMin: ios[0] ?? 0,
    iosMax: ios[1] ?? 0,
    androidMin: android[0] ?? 0,
    androidMax: android[1] ?? 0,
  }));

test("the parts of any campaign are those of a plain count, and add up to all auctions", async () => {
  const rows = fc.sample(someRow, { numRuns: 600, seed: 11 });
  await keep(clickhouse, {
    auctions: rows.map(({ time, ...row }) => auction(time, { format: "rewarded", ...row })),
  });
  await fc.assert(
    fc.asyncProperty(someFit, async (fit) => {
      const counted = new Map<string, number>();
      for (const row of rows) {
        const reason = reasonOf(row, fit, { bidMicros: 2_000_000 });
        counted.set(reason, (counted.get(reason) ?? 0) + 1);
      }
      const parts = await partsOf(5, fit);
      expect(Object.fromEntries(parts.map(([reason, auctions]) => [reason, auctions]))).toEqual(
        Object.fromEntries(counted),
      );
      expect(parts.reduce((sum, [, auctions]) => sum + Number(auctions), 0)).toBe(rows.length);
    }),
    { numRuns: 40 },
  );
});
