import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideAuction } from "./decide-auction.ts";
import type { AuctionInput, LineParticipant } from "./input.ts";
import { lineRefusal, linePlaceRefusal } from "./line-targeting.ts";
import type { PartnerResponse } from "./response.ts";
import { encodeTrace, replay, traceOf } from "./trace.ts";

const line = (id: string, some: Partial<LineParticipant> = {}): LineParticipant => ({
  kind: "line",
  id,
  name: id,
  serves: "html",
  enabled: true,
  format: "banner",
  zones: [],
  size: { w: 320, h: 50 },
  statedMicros: 2_000_000,
  isPlace: true,
  ...some,
});
const ANYBODY = { gdprApplies: false, vendorIds: [] };

test.each<[Partial<LineParticipant>, object, string | undefined]>([
  [{}, {}, undefined],
  [{ enabled: false }, {}, "item_off"],
  [{ statedMicros: null }, {}, "item_price_missing"],
  [{ isPlace: false }, {}, "caller_compares"],
  [{ gvlId: 7 }, {}, undefined],
  [{ gvlId: 7 }, { gdprApplies: true, vendorIds: [7] }, undefined],
  [{ gvlId: 7 }, { gdprApplies: true, vendorIds: [6, 8] }, "consent_missing"],
  [{ skip: { isSkipped: true, probability: 0.98 } }, {}, "predicted_no_fill"],
  [{ skip: { isSkipped: false, probability: 0.02 } }, {}, undefined],
  // Its tag is told of the consent, and heeds it itself.
  [{}, { gdprApplies: true }, undefined],
])("a line item of %j under %j: %s", (some, consent, reason) => {
  expect(lineRefusal(line("a", some), { ...ANYBODY, ...consent })).toBe(reason);
});

test.each<[Partial<LineParticipant>, object, string | undefined]>([
  [{}, {}, undefined],
  [{ format: "interstitial" }, {}, "item_format"],
  [{ zones: ["home", "top"] }, { imp: { tagid: "top" } }, undefined],
  [{ zones: ["home"] }, { imp: { tagid: "top" } }, "item_zone"],
  [{ zones: ["home"] }, {}, "item_zone"],
  [{}, { floorMicros: null }, "floor_currency_unknown"],
  [{ size: { w: 300, h: 250 } }, {}, "item_not_taken"],
  [{ size: null }, {}, undefined],
  [{}, { imp: { banner: undefined, native: {} } }, "item_not_taken"],
  [{ serves: "vast" }, {}, "item_not_taken"],
  [{ serves: "vast" }, { imp: { video: { mimes: [] } } }, undefined],
  [{ serves: "vast" }, { imp: { audio: { mimes: [] } } }, undefined],
  [{ serves: "sdk" }, {}, "adapter_missing"],
  [{ serves: "sdk", hasAdapter: false }, {}, "adapter_missing"],
  [{ serves: "sdk", hasAdapter: true }, {}, undefined],
])("a line item of %j in a place of %j: %s", (some, place, reason) => {
  const { imp = {}, floorMicros = 0 } = place as { imp?: object; floorMicros?: number | null };
  const of = { id: "1", banner: { w: 320, h: 50 }, ...imp };
  const offer = { format: "banner" as const, floorMicros, ownFloorMicros: 0, imp: of };
  expect(linePlaceRefusal(line("a", some), offer)).toBe(reason);
});

const inputOf = (participants: AuctionInput["participants"], some: Partial<AuctionInput> = {}): AuctionInput => ({
  id: "auction",
  at: 0,
  seed: "seed",
  configVersion: "1",
  deadlineMs: 100,
  request: { id: "auction", imp: [{ id: "1", banner: { w: 320, h: 50 }, bidfloor: 1 }] },
  app: { id: "app", live: true, blockedCategories: [], blockedAdvertisers: [], floors: [], childDirected: false },
  device: { country: "DE", platform: "android", osVersion: "14", network: "wifi", campaignPlatform: "android" },
  consent: ANYBODY,
  participants,
  ...some,
});
const bid = (participantId: string, priceMicros: number, adomain?: string[]): PartnerResponse => ({
  participantId,
  call: 0,
  status: "bid",
  latencyMs: 1,
  bids: [
    {
      bidId: "b",
      impId: "1",
      priceMicros,
      cur: "USD",
      mtype: 1,
      w: 320,
      h: 50,
      markupLength: 3,
      ...(adomain && { adomain }),
    },
  ],
});
const partner = {
  kind: "bidding" as const,
  id: "partner",
  name: "Partner",
  mediaTypes: ["banner" as const],
  enabled: true,
  hasKeys: true,
  breaker: "closed" as const,
  currencies: ["USD"],
  acceptsChildDirected: true,
};

test("a line item competes with bids at its expected price, and clears at nothing", () => {
  const input = inputOf([partner, line("line")]);
  const order = (price: number) =>
    decideAuction(input, [bid("partner", price), bid("line", 2_000_000)]).imps[0]?.order.map(
      ({ participantId, clearingPriceMicros }) => [participantId, clearingPriceMicros],
    );
  expect(order(1_500_000)).toEqual([
    ["line", 0],
    ["partner", 1_500_000],
  ]);
  expect(order(2_500_000)).toEqual([
    ["partner", 2_500_000],
    ["line", 0],
  ]);
});

test("the publisher's floor is also a line item's, and blocks of advertisers are not", () => {
  const app = { ...inputOf([]).app, floors: [{ floorMicros: 3_000_000 }], blockedAdvertisers: ["shop.example"] };
  const decided = decideAuction(inputOf([line("low"), line("high")], { app }), [
    bid("low", 2_999_999),
    bid("high", 3_000_000),
  ]);
  expect(decided.imps[0]?.order.map(({ participantId }) => participantId)).toEqual(["high"]);
  expect(decided.bids.map(({ participantId, reason }) => [participantId, reason])).toEqual([
    ["high", null],
    ["low", "below_floor"],
  ]);
});

test("with line items of any settings, every source ends with a reason or a place, and a replay gives the same bytes", () => {
  const item = fc.record({
    serves: fc.constantFrom("vast" as const, "html" as const, "sdk" as const),
    enabled: fc.boolean(),
    format: fc.constantFrom("banner" as const, "video" as const),
    zones: fc.constantFrom([], ["top"], ["other"]),
    size: fc.constantFrom(null, { w: 320, h: 50 }, { w: 1, h: 1 }),
    statedMicros: fc.constantFrom(null, 1, 1_000_000, 5_000_000),
    hasAdapter: fc.boolean(),
    isPlace: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 5_000_000 }), { maxLength: 3 }),
      (items, prices) => {
        const lines = items.map((some, nth) => line(`line-${nth}`, some));
        const partners = prices.map((_, nth) => ({ ...partner, id: `partner-${nth}` }));
        const input = inputOf([...partners, ...lines], {
          request: { id: "auction", imp: [{ id: "1", tagid: "top", banner: { w: 320, h: 50 }, bidfloor: 0.5 }] },
        });
        const responses = [
          ...prices.map((price, nth) => bid(`partner-${nth}`, price)),
          ...lines.flatMap((each) =>
            each.statedMicros === null ||
            lineRefusal(each, input.consent) !== undefined ||
            linePlaceRefusal(each, {
              format: "banner",
              floorMicros: 500_000,
              ownFloorMicros: 0,
              imp: input.request.imp[0] ?? { id: "1" },
            }) !== undefined
              ? []
              : [bid(each.id, each.statedMicros)],
          ),
        ];
        const trace = traceOf(input, responses);
        const [imp] = trace.decision.imps;
        for (const { id } of input.participants) {
          const isRefused = trace.decision.refused.some(({ participantId }) => participantId === id);
          const verdicts = trace.decision.bids.filter(({ participantId }) => participantId === id);
          const isPlaced = imp?.order.some(({ participantId }) => participantId === id) === true;
          expect(isRefused).toBe(verdicts.length === 0);
          expect(verdicts.every(({ status, reason }) => (reason === null) === (status === "won"))).toBe(true);
          expect(verdicts.some(({ status }) => status !== "invalid")).toBe(isPlaced);
        }
        expect(replay(encodeTrace(trace))).toMatchObject({ same: true, path: null });
      },
    ),
  );
});
