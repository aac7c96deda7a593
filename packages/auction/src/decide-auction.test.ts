import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BID_REASONS, NO_AD_REASONS, describeReason, REASONS, REFUSAL_REASONS, RESPONSE_STATUSES } from "./reasons.ts";
import { eligibility } from "./eligibility.ts";
import type { AuctionInput } from "./input.ts";
import { LazyDecision } from "./lazy-decision.ts";
import { unrecorded } from "./record-bid.ts";
import type { PartnerResponse, RecordedBid } from "./response.ts";
import { sortVendorIds } from "./vendor-ids.ts";
import { decideAuction } from "./decide-auction.ts";
import { encodeTrace, replay, traceOf } from "./trace.ts";

const IDS = ["alpha", "beta", "gamma", "delta", "epsilon"];

const inputs: fc.Arbitrary<AuctionInput> = fc.record({
  id: fc.constant("auction"),
  at: fc.nat(),
  seed: fc.string(),
  configVersion: fc.constant("1"),
  deadlineMs: fc.constant(100),
  request: fc.record({
    id: fc.constant("auction"),
    imp: fc.tuple(
      fc.record({
        id: fc.constant("1"),
        banner: fc.constant({ w: 320, h: 50 }),
        bidfloor: fc.double({ min: 0, max: 3, noNaN: true }),
        pmp: fc.constant({
          deals: [
            { id: "fixed", bidfloor: 2.25, at: 3 },
            { id: "lower", bidfloor: 0.5 },
          ],
        }),
      }),
      fc.record({ id: fc.constant("2"), video: fc.constant({ mimes: ["video/mp4"] }), instl: fc.constantFrom(0, 1) }),
    ),
    app: fc.constant({}),
    badv: fc.constantFrom([], ["blocked.example.com"]),
    // What else a request may bring along is the matter of `trace.test.ts`.
    ext: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
  }),
  app: fc.record({
    id: fc.constant("app"),
    live: fc.constantFrom(true, true, true, false),
    blockedCategories: fc.constantFrom([], ["IAB25"]),
    blockedAdvertisers: fc.constant([]),
    floors: fc.array(fc.record({ country: fc.constantFrom("DE", "US"), floorMicros: fc.nat(2_000_000) }), {
      maxLength: 3,
    }),
    childDirected: fc.boolean(),
  }),
  device: fc.constant({ country: "DE", platform: "ios", osVersion: null, network: null }),
  consent: fc.record({
    gdprApplies: fc.boolean(),
    vendorIds: fc.array(fc.integer({ min: 1, max: 6 })).map(sortVendorIds),
  }),
  participants: fc.tuple(
    ...IDS.map((id, index) =>
      fc.record({
        kind: fc.constant("bidding" as const),
        id: fc.constant(id),
        name: fc.constant(id),
        mediaTypes: fc.constantFrom(["banner" as const], ["banner" as const, "video" as const]),
        enabled: fc.constantFrom(true, true, true, false),
        hasKeys: fc.constantFrom(true, true, true, false),
        gvlId: fc.constant(index + 1),
        breaker: fc.constantFrom("closed" as const, "closed" as const, "open" as const),
        currencies: fc.constant(["USD"]),
        acceptsChildDirected: fc.boolean(),
      }),
    ),
  ),
});

const bids: fc.Arbitrary<RecordedBid> = fc.record({
  bidId: fc.constantFrom("a", "b"),
  impId: fc.constantFrom("1", "1", "2", "3"),
  // Few distinct prices, so that ties are common.
  priceMicros: fc.oneof(fc.constantFrom(1_000_000, 2_000_000, 2_500_000, 0, -1, null), fc.integer()),
  cur: fc.constantFrom("USD", "USD", "USD", "EUR"),
  adomain: fc.constantFrom([], ["brand.example.com"], ["blocked.example.com"]),
  cat: fc.constantFrom([], ["IAB1"], ["IAB25-1"]),
  dealId: fc.constantFrom(undefined, undefined, "", "fixed", "lower", "unknown"),
  markupLength: fc.constantFrom(0, 10, 10),
});

const responses: fc.Arbitrary<PartnerResponse[]> = fc.uniqueArray(
  fc.record({
    participantId: fc.constantFrom(...IDS, "stranger"),
    call: fc.nat(1),
    status: fc.constantFrom(...RESPONSE_STATUSES),
    latencyMs: fc.nat(100),
    bids: fc.array(bids, { maxLength: 4 }),
  }),
  { selector: ({ participantId, call }) => `${participantId} ${call}` },
);

/** Without deals, which have floors and prices of their own. */
const openResponses = responses.map((heard) =>
  heard.map((response) => ({ ...response, bids: response.bids.map((bid) => ({ ...bid, dealId: undefined })) })),
);

const shuffled = fc
  .tuple(inputs, responses)
  .chain(([input, heard]) =>
    fc.tuple(fc.constant(input), fc.constant(heard), fc.shuffledSubarray(heard, { minLength: heard.length })),
  );

test("the order in which responses come in changes nothing", () => {
  fc.assert(
    fc.property(shuffled, ([input, heard, otherwise]) => {
      expect(decideAuction(input, otherwise)).toEqual(decideAuction(input, heard));
    }),
    { numRuns: 300 },
  );
});

test("the winner has the highest price of all valid bids, every order falls, and no floor is undercut", () => {
  fc.assert(
    fc.property(inputs, openResponses, (input, heard) => {
      const decision = decideAuction(input, heard);
      for (const { impId, order, floorMicros } of decision.imps) {
        const prices = order.map(({ priceMicros }) => priceMicros);
        expect(prices).toEqual([...prices].sort((a, b) => b - a));
        expect(order.map(({ position }) => position)).toEqual(prices.map((_, index) => index + 1));
        expect(
          order.every((bid) => bid.priceMicros >= floorMicros && bid.clearingPriceMicros === bid.priceMicros),
        ).toBe(true);
        const valid = decision.bids.filter((bid) => bid.impId === impId && bid.status !== "invalid");
        expect(prices[0] ?? 0).toBe(Math.max(0, ...valid.map(({ priceMicros }) => priceMicros ?? 0)));
        expect(valid.length).toBe(order.length);
      }
    }),
    { numRuns: 300 },
  );
});

test("every participant, bid and imp is accounted for with a reason", () => {
  fc.assert(
    fc.property(inputs, responses, (input, heard) => {
      const { participants, bids: verdicts, imps, eligible, refused, noAdReason, nbr } = decideAuction(input, heard);
      expect(participants.map(({ participantId }) => participantId)).toEqual(input.participants.map(({ id }) => id));
      expect(verdicts.length).toBe(heard.reduce((sum, response) => sum + response.bids.length, 0));
      expect(verdicts.every(({ status, reason }) => (status === "won") === (reason === null))).toBe(true);
      expect(imps.every(({ order, noAdReason: reason }) => order.length > 0 === (reason === null))).toBe(true);
      expect(imps.some(({ order }) => order.length > 0)).toBe(noAdReason === null && nbr === null);
      const impsAsked = eligible.reduce((sum, { impIds }) => sum + impIds.length, 0);
      const impsRefused = refused.reduce((sum, { impId }) => sum + (impId === undefined ? 2 : 1), 0);
      expect(impsAsked + impsRefused).toBe(2 * input.participants.length);
    }),
    { numRuns: 300 },
  );
});

test("a replayed trace gives the same bytes", () => {
  fc.assert(
    fc.property(inputs, responses, (input, heard) => {
      const bytes = encodeTrace(traceOf(input, heard));
      expect(replay(bytes)).toMatchObject({ same: true, path: null });
      const again = encodeTrace(traceOf(input, heard, decideAuction(input, heard, eligibility(input))));
      expect(Buffer.compare(again, bytes)).toBe(0);
    }),
    { numRuns: 300 },
  );
});

const unrecordedResponses = (heard: readonly PartnerResponse[]) =>
  heard.map((response) => ({ ...response, bids: response.bids.map(unrecorded) }));

test("an auction that is decided as far as it is asked has the winners, prices and verdicts of one decided in full", () => {
  const questions = fc.array(fc.record({ isOrder: fc.boolean(), which: fc.nat(40), length: fc.nat(4) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(inputs, responses, questions, (input, heard, asked) => {
      const full = decideAuction(input, heard);
      const lazy = new LazyDecision(input, unrecordedResponses(heard), eligibility(input));
      for (const { isOrder, which, length } of asked) {
        const verdict = full.bids[which % Math.max(1, full.bids.length)];
        if (isOrder) {
          const imp = full.imps[which % full.imps.length];
          const walked = [];
          for (const candidate of lazy.order(imp?.impId ?? "")) if (walked.push(candidate) > length) break;
          expect(walked).toEqual(imp?.order.slice(0, length + 1));
        } else if (verdict !== undefined) expect(lazy.verdictOf(verdict)).toEqual(verdict);
      }
      expect(JSON.stringify(lazy.inFull())).toBe(JSON.stringify(full));
      expect(JSON.stringify(lazy.recordedResponses())).toBe(JSON.stringify(heard));
    }),
    { numRuns: 300 },
  );
});

test("a candidate's id names it in the whole auction", () => {
  fc.assert(
    fc.property(inputs, responses, (input, heard) => {
      const ids = decideAuction(input, heard).imps.flatMap(({ order }) => order.map(({ candidateId }) => candidateId));
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 300 },
  );
});

test("every reason has a sentence", () => {
  for (const reason of [...REFUSAL_REASONS, ...BID_REASONS, ...NO_AD_REASONS])
    expect(REASONS[reason]).toMatch(/^[A-Z]/);
  expect(describeReason("timeout", { deadlineMs: 100 })).toBe("Timeout at 100 ms");
});
