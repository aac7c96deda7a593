import { traceOf } from "@millrace/auction";
import type { AuctionInput, PartnerResponse } from "@millrace/auction";
import { expect, test } from "vitest";
import fixture from "../../../../packages/auction/fixtures/the-highest-bid-wins-and-pays-its-own-price.json" with { type: "json" };
import { shownAuction } from "./shown-auction.ts";

const input = fixture.input as unknown as AuctionInput;
const [bid] = (fixture.responses as PartnerResponse[])[0]?.bids ?? [];
const [partner] = input.participants;

/** A response for each outcome, as [partner, milliseconds, price in micros or status]. */
function auctionOf(answers: readonly (readonly [string, number, number | PartnerResponse["status"]])[]) {
  const responses: PartnerResponse[] = answers.map(([participantId, latencyMs, answer]) => ({
    participantId,
    call: 0,
    status: typeof answer === "number" ? "bid" : answer,
    latencyMs,
    bids: typeof answer === "number" && bid ? [{ ...bid, bidId: participantId, priceMicros: answer }] : [],
  }));
  const participants = answers.map(
    ([id]) => ({ ...partner, id, name: `Name of ${id}` }) as AuctionInput["participants"][number],
  );
  return traceOf({ ...input, participants }, responses);
}

const ANSWERS = [
  ["slow-winner", 45.26, 2_000_000],
  ["outbid-one", 20, 1_500_000],
  ["cheap", 31, 100_000],
  ["silent", 99, "timeout"],
  ["broken", 12, "http_error"],
  ["absent", 8, "no_bid"],
] as const;

test("an auction is shown by who answered when, what became of it, and each bid's share of the highest", () => {
  expect(shownAuction(auctionOf(ANSWERS))).toEqual({
    at: new Date(input.at).toISOString(),
    format: "banner",
    platform: "android",
    country: "DE",
    bidders: [
      { result: "no_bid", after_ms: 8, share: null },
      { result: "failed", after_ms: 12, share: null },
      { result: "outbid", after_ms: 20, share: 0.75 },
      { result: "under_floor", after_ms: 31, share: 0.05 },
      { result: "won", after_ms: 45.3, share: 1 },
      { result: "timeout", after_ms: 99, share: null },
    ],
  });
});

test("no name, id, price or zone leaves", () => {
  const shown = JSON.stringify(shownAuction(auctionOf(ANSWERS)));
  for (const secret of [
    "Name of",
    "slow-winner",
    "2000000",
    "auction-1",
    "app-1",
    "brand.example.com",
    "com.example",
  ]) {
    expect(shown).not.toContain(secret);
  }
});

test("a test, an auction of several imps and one with few bidders are not shown", () => {
  const trace = auctionOf(ANSWERS);
  const [imp] = trace.decision.imps;
  if (!imp) throw new Error("the auction has an imp");
  expect(shownAuction({ ...trace, decision: { ...trace.decision, test: true } })).toBeNull();
  expect(shownAuction({ ...trace, decision: { ...trace.decision, imps: [imp, imp] } })).toBeNull();
  expect(shownAuction(auctionOf(ANSWERS.slice(0, 3)))).toBeNull();
});
