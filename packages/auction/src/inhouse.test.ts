import { expect, test } from "vitest";
import { inhousePlaceRefusal, inhouseRefusal } from "./campaign-targeting.ts";
import { decideAuction } from "./decide-auction.ts";
import type { AuctionInput, DeviceFacts, InhouseParticipant, InhouseTargeting } from "./input.ts";
import type { PartnerResponse } from "./response.ts";
import { encodeTrace, replay, traceOf } from "./trace.ts";

const ANYWHERE: InhouseTargeting = {
  geo: "not_in",
  countries: [],
  ios: null,
  android: null,
  formats: ["interstitial"],
};
const PHONE: DeviceFacts = {
  country: "DE",
  platform: "android",
  osVersion: "14",
  network: "wifi",
  campaignPlatform: "android",
};

test.each<[Partial<DeviceFacts>, Partial<InhouseTargeting>, string | undefined]>([
  [{}, {}, undefined],
  [{}, { geo: "in", countries: ["DE"] }, undefined],
  [{ country: "FR" }, { geo: "in", countries: ["DE"] }, "geography"],
  [{}, { countries: ["DE"] }, "geography"],
  [{ country: null }, { geo: "in", countries: ["DE"] }, "geography"],
  [{ osVersion: "8.1" }, { android: { min: 9, max: 14 } }, "os_version"],
  [{ osVersion: "14.1" }, { android: { min: 9, max: 14 } }, undefined],
  [{ osVersion: null }, { android: { min: 9, max: 14 } }, "os_version"],
  [{ osVersion: "8" }, { ios: { min: 12, max: 17 } }, undefined],
  [{ osVersion: "18", campaignPlatform: "ipad" }, { ios: { min: 12, max: 17 } }, "os_version"],
  // A television has none of these versions.
  [{ osVersion: "3", campaignPlatform: null }, { ios: { min: 12, max: 17 }, android: { min: 9, max: 14 } }, undefined],
])("a device of %j and an in-house campaign for %j: %s", (device, targeting, reason) => {
  expect(inhouseRefusal({ ...ANYWHERE, ...targeting }, { ...PHONE, ...device })).toBe(reason);
});

test("an in-house campaign wants the formats of its creative alone, where an imp takes them", () => {
  const place = (format: "interstitial" | "rewarded" | "banner", imp: object) => ({ format, imp: { id: "1", ...imp } });
  const both = { formats: ["interstitial"], videoFormats: ["rewarded", "interstitial"] } as const;
  expect(inhousePlaceRefusal(ANYWHERE, place("interstitial", { banner: {} }))).toBeUndefined();
  expect(inhousePlaceRefusal(ANYWHERE, place("interstitial", { video: { mimes: [] } }))).toBe("format");
  expect(inhousePlaceRefusal(ANYWHERE, place("rewarded", { video: { mimes: [] } }))).toBe("format");
  expect(inhousePlaceRefusal(both, place("rewarded", { video: { mimes: [] } }))).toBeUndefined();
  expect(inhousePlaceRefusal(both, place("interstitial", { video: { mimes: [] } }))).toBeUndefined();
  expect(inhousePlaceRefusal(both, place("rewarded", { banner: {} }))).toBe("format");
  expect(inhousePlaceRefusal(both, place("banner", { banner: {} }))).toBe("format");
});

const house = (id: string, targeting: Partial<InhouseTargeting> = {}): InhouseParticipant => ({
  kind: "inhouse",
  id,
  name: id,
  targeting: { ...ANYWHERE, ...targeting },
});

const inputOf = (some: Partial<AuctionInput> = {}): AuctionInput => ({
  id: "auction",
  at: 0,
  seed: "seed",
  configVersion: "1",
  deadlineMs: 100,
  request: { id: "auction", imp: [{ id: "1", instl: 1, banner: { w: 320, h: 480 }, bidfloor: 1 }] },
  app: { id: "app", live: true, blockedCategories: [], blockedAdvertisers: [], floors: [], childDirected: false },
  device: PHONE,
  consent: { gdprApplies: false, vendorIds: [] },
  participants: [
    {
      kind: "bidding",
      id: "partner",
      name: "Partner",
      mediaTypes: ["banner"],
      enabled: true,
      hasKeys: true,
      breaker: "closed",
      currencies: ["USD"],
      acceptsChildDirected: true,
    },
    house("filler"),
    house("rival"),
  ],
  formats: { "1": "interstitial" },
  ...some,
});

const bidOf = (participantId: string, ...prices: number[]): PartnerResponse => ({
  participantId,
  call: 0,
  status: "bid",
  latencyMs: 0,
  bids: prices.map((priceMicros, index) => ({
    bidId: `${participantId}-${index}`,
    impId: "1",
    priceMicros,
    cur: "USD",
    markupLength: 10,
    mtype: 1,
    w: 320,
    h: 480,
  })),
});

function orderOf(responses: PartnerResponse[], input = inputOf()) {
  const decision = decideAuction(input, responses);
  expect(replay(encodeTrace(traceOf(input, responses))).same).toBe(true);
  const [imp] = decision.imps;
  return imp?.order.map(({ participantId, priceMicros, clearingPriceMicros }) => [
    participantId,
    priceMicros,
    clearingPriceMicros,
  ]);
}

test("an in-house ad without a price fills what nobody bought, below any floor", () => {
  expect(orderOf([bidOf("partner"), bidOf("filler", 0)])).toEqual([["filler", 0, 0]]);
  // A bid below the floor buys nothing.
  expect(orderOf([bidOf("partner", 900_000), bidOf("filler", 0)])).toEqual([["filler", 0, 0]]);
});

test("it is served after every bid, whatever they pay", () => {
  expect(orderOf([bidOf("filler", 0), bidOf("partner", 1_000_000)])).toEqual([
    ["partner", 1_000_000, 1_000_000],
    ["filler", 0, 0],
  ]);
});

test("one with a price competes with the bids at it, and nobody pays", () => {
  const rival = bidOf("rival", 2_000_000);
  expect(orderOf([rival, bidOf("filler", 0), bidOf("partner", 3_000_000, 1_500_000)])).toEqual([
    ["partner", 3_000_000, 3_000_000],
    ["rival", 2_000_000, 0],
    ["partner", 1_500_000, 1_500_000],
    ["filler", 0, 0],
  ]);
  const decision = decideAuction(inputOf(), [rival, bidOf("partner", 1_500_000)]);
  expect(decision.bids.find(({ participantId }) => participantId === "partner")).toMatchObject({
    reason: "outbid",
    minToWinMicros: 2_000_000,
  });
});

test("with a price below the floor it is served before those without one", () => {
  expect(orderOf([bidOf("filler", 0), bidOf("rival", 500_000), bidOf("partner", 900_000)])).toEqual([
    ["rival", 500_000, 0],
    ["filler", 0, 0],
  ]);
});

test("a partner's bid of nothing stays refused, and so does an in-house ad that is not wanted", () => {
  expect(orderOf([bidOf("partner", 0)])).toEqual([]);
  const participants = [house("filler", { geo: "in", countries: ["FR"] })];
  const decision = decideAuction(inputOf({ participants }), [bidOf("filler", 0)]);
  expect(decision.refused).toEqual([{ participantId: "filler", reason: "geography" }]);
  expect([decision.bids[0]?.reason, decision.noAdReason]).toEqual(["not_asked", "no_partner_ready"]);
});

test("an in-house campaign without a video that the place takes says so, and its bid is refused", () => {
  const gates = [{ impId: "1", reason: "creative_misfit" as const }];
  const decision = decideAuction(inputOf({ participants: [{ ...house("filler"), gates }] }), [bidOf("filler", 0)]);
  expect(decision.refused).toEqual([{ participantId: "filler", impId: "1", reason: "creative_misfit" }]);
  expect(decision.bids[0]?.reason).toBe("not_asked");
});

test("fillers take turns by the seed of the auction", () => {
  const participants = ["a", "b", "c"].map((id) => house(id));
  const first = Array.from({ length: 300 }, (_, nth) => {
    const order = orderOf(
      participants.map(({ id }) => bidOf(id, 0)),
      inputOf({ participants, seed: `seed ${nth}` }),
    );
    return order?.[0]?.[0];
  });
  for (const { id } of participants) expect(first.filter((each) => each === id).length).toBeGreaterThan(70);
});
