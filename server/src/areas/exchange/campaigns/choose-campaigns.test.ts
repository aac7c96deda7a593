import { deviceRefusal, scheduleRefusal } from "@millrace/auction";
import { countryOfRegion } from "@millrace/contract";
import { exclusionsOf } from "@millrace/openrtb";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AT, chooserOf, offer, PHONE, some } from "./testing/some-chooser.ts";
import type { LiveCampaign } from "./live-campaigns.ts";

test("the five highest bids take part, the highest first, and no other campaign is asked", () => {
  const { choose, asked } = chooserOf([1, 2, 3, 4, 5, 6, 7, 8].map((id) => some(id, id * 1_000_000)));
  expect(choose()).toEqual({ ads: [8, 7, 6, 5, 4], missed: [] });
  expect(asked).toEqual([8, 7, 6, 5, 4]);
});

test("a bid that pacing has lowered takes its place by its price, which is what is held", () => {
  const campaigns = [some(1, 9_000_000), some(2, 3_000_000), some(3, 2_000_000)];
  const { adsOf } = chooserOf(campaigns, { 1: { bidMicros: 2_500_000, share: 1, tries: 0 } });
  expect(adsOf().map(({ campaign, priceMicros, held }) => [campaign.id, priceMicros, held?.money.micros])).toEqual([
    [2, 3_000_000, 3000],
    [1, 2_500_000, 2500],
    [3, 2_000_000, 2000],
  ]);
});

test("no campaign bids below the floor, also after pacing, nor at a price of nothing", () => {
  const campaigns = [some(1, 2_000_000), some(2, 1_000_000), some(3, 999_999)];
  const { choose } = chooserOf(campaigns, { 1: { bidMicros: 999_999, share: 1, tries: 0 } });
  expect(choose({ offers: [offer(1_000_000)] })).toEqual({ ads: [2], missed: [] });
  expect(choose({ offers: [offer(null)] })).toEqual({ ads: [], missed: [] });
  expect(chooserOf([some(1, 2_000_000)], { 1: { bidMicros: 499, share: 1, tries: 0 } }).choose().ads).toEqual([]);
});

test("a campaign that a gate stops leaves its place to the next, and is counted with the reason", () => {
  const campaigns = [1, 2, 3, 4, 5, 6, 7].map((id) => some(id, id * 1_000_000));
  const { choose, asked } = chooserOf(
    campaigns,
    { 7: { bidMicros: 7_000_000, share: 0, tries: 0 } },
    { 5: "budget_spent" },
  );
  expect(choose()).toEqual({
    ads: [6, 4, 3, 2, 1],
    missed: [
      [7, "paced"],
      [5, "budget_spent"],
    ],
  });
  // Without money it rests for a second, and is counted all the same.
  asked.length = 0;
  expect(choose({ at: AT + 999 }).missed).toContainEqual([5, "budget_spent"]);
  expect(asked).not.toContain(5);
  choose({ at: AT + 1000 });
  expect(asked).toContain(5);
});

test("a campaign without money is counted as out of money, not as spreading its budget", () => {
  const plan = { bidMicros: 250_000, share: 0, tries: 0 };
  const { choose } = chooserOf([some(1, 1_000_000)], { 1: { ...plan, lack: "budget_spent" } });
  // Also where the lowered bid would not do.
  expect(choose({ offers: [offer(600_000)] })).toEqual({ ads: [], missed: [[1, "budget_spent"]] });
  // Money may be there again before the next plan.
  const refilled = chooserOf([some(1, 1_000_000)], { 1: { ...plan, share: 1, lack: "balance_spent" } });
  expect(refilled.choose().ads).toEqual([1]);
});

test("in child-directed traffic only creatives that are approved for children are shown", () => {
  const campaigns = [1, 2].map((id) => some(id, id * 1_000_000));
  const [own] = campaigns[0]?.creatives ?? [];
  const forChildren = { ...own, id: 99, forChildren: true } as LiveCampaign["creatives"][number];
  const mixed = some(3, 500_000, { creatives: [...(campaigns[0]?.creatives ?? []), forChildren] });
  const { choose, adsOf, asked } = chooserOf([...campaigns, mixed]);
  expect(choose({ childDirected: true })).toEqual({
    ads: [3],
    missed: [
      [2, "not_for_children"],
      [1, "not_for_children"],
    ],
  });
  // Nothing is held for the others.
  expect(asked).toEqual([3]);
  for (let nth = 0; nth < 10; nth++)
    expect(adsOf({ childDirected: true }).map(({ creative }) => creative.id)).toEqual([99]);
  expect(choose({ childDirected: true, isTest: true }).ads).toEqual([3]);
  expect(choose()).toEqual({ ads: [2, 1, 3], missed: [] });
});

test("a campaign whose ads the app or the request blocks leaves its place to the next, and holds nothing", () => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  const dressed = (id: number, own: Partial<LiveCampaign["creatives"][number]>) =>
    some(id, id * 1_000_000, { creatives: some(id, 0).creatives.map((creative) => ({ ...creative, ...own })) });
  const campaigns = [
    ...ids.map((id) => some(id, id * 1_000_000)),
    some(9, 9_000_000, { bundle: "com.example.rival" }),
    dressed(10, { adomain: ["www.rival.example"] }),
    dressed(11, { categories: ["IAB1", "IAB25-3"] }),
  ];
  const exclusions = exclusionsOf(
    { id: "r", imp: [], bapp: ["com.example.rival"] },
    { advertisers: ["rival.example"], categories: ["IAB25"] },
  );
  const { choose, asked } = chooserOf(campaigns);
  expect(choose().ads).toEqual([11, 10, 9, 8, 7]);
  asked.length = 0;
  expect(choose({ exclusions })).toEqual({ ads: [8, 7, 6, 5, 4], missed: [11, 10, 9].map((id) => [id, "blocked"]) });
  expect(asked).toEqual([8, 7, 6, 5, 4]);
});

test("of a campaign's creatives, those that the app does not block are shown", () => {
  const [own] = some(1, 0).creatives as [LiveCampaign["creatives"][number]];
  const wine = { ...own, id: 99, categories: ["IAB8-18"] };
  const { adsOf } = chooserOf([some(1, 1_000_000, { creatives: [wine, own] })]);
  const exclusions = exclusionsOf({ id: "r", imp: [], bcat: ["IAB8-18"] });
  for (let nth = 0; nth < 10; nth++) expect(adsOf({ exclusions }).map(({ creative }) => creative.id)).toEqual([own.id]);
});

test("a campaign that waits for its lease is asked again at once", () => {
  const { choose, asked } = chooserOf([some(1, 1_000_000)], {}, { 1: "lease_pending" });
  for (let nth = 0; nth < 3; nth++) expect(choose().missed).toEqual([[1, "lease_pending"]]);
  expect(asked).toEqual([1, 1, 1]);
});

test("the share of its auctions that a campaign takes part in is drawn by the auction", () => {
  const { choose } = chooserOf([some(1, 1_000_000)], { 1: { bidMicros: 1_000_000, share: 0.3, tries: 0 } });
  const draws = Array.from({ length: 2000 }, (_, nth) => choose({ auctionId: `a-${nth}` }).ads.length);
  expect(draws.reduce((sum, each) => sum + each, 0) / draws.length).toBeCloseTo(0.3, 1);
  expect(Array.from({ length: 50 }, (_, nth) => choose({ auctionId: `a-${nth}` }).ads.length)).toEqual(
    draws.slice(0, 50),
  );
});

test("a campaign takes part in as many auctions as its plan tries whatever the draw, and a try without a bid is not used up", () => {
  const plan = { bidMicros: 1_000_000, share: 0, tries: 2 };
  expect(chooserOf([some(1, 1_000_000)], { 1: plan }, { 1: "lease_pending" }).choose().ads).toEqual([]);
  const { choose } = chooserOf([some(1, 1_000_000)], { 1: plan });
  expect(Array.from({ length: 4 }, () => choose().ads)).toEqual([[1], [1], [], []]);
  expect(choose().missed).toEqual([[1, "paced"]]);
});

test("campaigns with the same bid take turns", () => {
  const { choose } = chooserOf(Array.from({ length: 20 }, (_, id) => some(id + 1, 1_000_000)));
  const chosen = new Map<number, number>();
  for (let nth = 0; nth < 40; nth++) for (const id of choose().ads) chosen.set(id, (chosen.get(id) ?? 0) + 1);
  expect([...chosen.values()]).toEqual(Array.from({ length: 20 }, () => 10));
});

test("nothing is held for a test, and everything is given back that is released", () => {
  const { adsOf, open, chooser } = chooserOf([some(1, 1_000_000), some(2, 2_000_000)]);
  expect(adsOf({ isTest: true }).map(({ held }) => held)).toEqual([null, null]);
  expect(open.size).toBe(0);
  const ads = adsOf();
  expect(open.size).toBe(2);
  for (const ad of ads) chooser.release(ad);
  expect(open.size).toBe(0);
});

test("a campaign holds money for each imp that it bids on", () => {
  const { adsOf, open } = chooserOf([some(1, 1_000_000)]);
  expect(adsOf({ offers: [offer(0, "1"), offer(0, "2")] }).map(({ impId }) => impId)).toEqual(["1", "2"]);
  expect(open.size).toBe(2);
});

test("campaigns for other regions take no one's place, however many there are", () => {
  const named = { countries: ["US"], regions: ["US-CA"] };
  const others = Array.from({ length: 300 }, (_, id) => some(id + 10, 9_000_000, { targeting: named }));
  const { choose } = chooserOf([some(1, 1_000_000, { targeting: { countries: ["US"] } }), ...others]);
  const chosenIn = (region: string | null) => choose({ facts: { ...PHONE, country: "US", region } }).ads;
  expect(chosenIn("US-TX")).toEqual([1]);
  expect(chosenIn(null)).toEqual([1]);
  expect(chosenIn("US-CA")).toHaveLength(5);
  expect(chosenIn("US-CA")).not.toContain(1);
});

const COUNTRIES = ["DE", "FR", "US", "XX"];
/** With the United States' regions, a campaign has more than it is listed under one by one. */
const MANY = Array.from({ length: 45 }, (_, nth) => `US-${String(nth).padStart(2, "0")}`);
const NAMED = [["DE-BE"], ["DE-BE", "DE-BY"], ["US-00"], MANY, []];
const anyCampaign = fc.record({
  bidMicros: fc.integer({ min: 1, max: 8 }).map((dollars) => dollars * 1_000_000),
  demo: fc.boolean(),
  geo: fc.constantFrom("in" as const, "not_in" as const),
  countries: fc.subarray(COUNTRIES),
  regions: fc.constantFrom(...NAMED),
  platforms: fc.subarray(["iphone", "ipad", "android"] as const, { minLength: 1 }),
  days: fc.subarray([1, 2, 3], { minLength: 1 }),
  format: fc.constantFrom("image" as const, "banner" as const),
  wifiOnly: fc.boolean(),
});

test("after any changes, the chosen ones are the highest bids of those that want the request", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(anyCampaign, { freq: 4 })), { maxLength: 40 }),
      fc.constantFrom(...COUNTRIES),
      fc.constantFrom("iphone" as const, "ipad" as const, "android" as const),
      fc.constantFrom("wifi" as const, null),
      fc.boolean(),
      fc.constantFrom(null, "BE", "HH", "00", "44"),
      (changes, country, campaignPlatform, network, demo, named) => {
        const live = new Map<number, LiveCampaign>();
        const { index, adsOf } = chooserOf([]);
        for (const [id, change] of changes) {
          if (change === null) {
            live.delete(id);
            index.remove(id);
            continue;
          }
          const { bidMicros, demo: ofDemo, ...asked } = change;
          const regions = asked.regions.filter((region) => asked.countries.includes(countryOfRegion(region)));
          const targeting = { ...asked, regions };
          const campaign = some(id, bidMicros, { demo: ofDemo, targeting });
          live.set(id, campaign);
          index.put(campaign);
        }
        const region = named === null ? null : `${country}-${named}`;
        const facts = { ...PHONE, country, region, campaignPlatform, network };
        const wanting = [...live.values()].filter(
          (campaign) =>
            campaign.demo === demo &&
            campaign.targeting.format === "banner" &&
            scheduleRefusal(campaign.targeting, AT) === undefined &&
            deviceRefusal(campaign.targeting, facts) === undefined,
        );
        const highest = wanting.map(({ bidMicros }) => bidMicros).toSorted((a, b) => b - a);
        const chosen = adsOf({ facts, demo });
        expect(chosen.map(({ priceMicros }) => priceMicros)).toEqual(highest.slice(0, 5));
        for (const { campaign } of chosen) expect(wanting).toContain(campaign);
        expect(index.size).toBe(live.size);
      },
    ),
  );
});
