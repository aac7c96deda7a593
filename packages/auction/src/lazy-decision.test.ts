import { expect, test } from "vitest";
import fixture from "../fixtures/the-highest-bid-wins-and-pays-its-own-price.json" with { type: "json" };
import { eligibility } from "./eligibility.ts";
import type { AuctionInput } from "./input.ts";
import { LazyDecision } from "./lazy-decision.ts";
import { unrecorded } from "./record-bid.ts";
import type { PartnerResponse, RecordedBid } from "./response.ts";

const input = fixture.input as unknown as AuctionInput;
const [first] = fixture.responses as PartnerResponse[];
if (first === undefined) throw new Error("the fixture has no response");
const participantId = first.participantId;

/** A decision on bids of one partner, and how often each of them has been recorded. */
function decisionOn(bids: Partial<RecordedBid>[]) {
  const recorded = bids.map(() => 0);
  const sources = bids.map((bid, index) => {
    const source = unrecorded({ ...(first?.bids[0] as RecordedBid), ...bid });
    return {
      ...source,
      record: () => {
        recorded[index] = (recorded[index] ?? 0) + 1;
        return source.record();
      },
    };
  });
  const response = { participantId, call: 0, status: "bid" as const, latencyMs: 1, bids: sources };
  return { decision: new LazyDecision(input, [response], eligibility(input)), recorded };
}

const impId = input.request.imp[0]?.id ?? "";
const firstOf = (decision: LazyDecision) => decision.order(impId).next().value;

test("only bids from the highest down to the winner are recorded and judged, and each once", () => {
  const { decision, recorded } = decisionOn([
    { priceMicros: 6_000_000 },
    { priceMicros: 9_000_000, markupLength: 0 },
    { priceMicros: 8_000_000 },
    { priceMicros: 7_000_000 },
  ]);
  expect(firstOf(decision)).toMatchObject({ index: 2, position: 1, clearingPriceMicros: 8_000_000 });
  expect(firstOf(decision)).toMatchObject({ index: 2 });
  expect(recorded).toEqual([0, 1, 1, 0]);
});

test("a verdict needs its bid and the first two of the order", () => {
  const { decision, recorded } = decisionOn([
    { priceMicros: 6_000_000 },
    { priceMicros: 9_000_000 },
    { priceMicros: 8_000_000 },
    { priceMicros: 7_000_000 },
  ]);
  const verdict = decision.verdictOf({ participantId, call: 0, index: 0 });
  expect(verdict).toMatchObject({ status: "lost", reason: "outbid", minToWinMicros: 9_000_000 });
  expect(recorded).toEqual([1, 1, 1, 0]);
  expect(decision.verdictOf({ participantId, call: 1, index: 0 })).toBeUndefined();
  expect(decision.verdictOf({ participantId, call: 0, index: 4 })).toBeUndefined();
});

test("the whole decision records every bid once, whatever was asked before", () => {
  const { decision, recorded } = decisionOn([{ priceMicros: 6_000_000 }, { priceMicros: 9_000_000 }, { cur: "XTS" }]);
  firstOf(decision);
  expect(decision.inFull().bids.map(({ status }) => status)).toEqual(["lost", "won", "invalid"]);
  expect(decision.recordedResponses()[0]?.bids).toHaveLength(3);
  expect(recorded).toEqual([1, 1, 1]);
});
