import { MAX_PRICE_MICROS, RESPONSE_STATUSES, type UnrecordedResponse } from "@millrace/auction";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { goodBid, sendBids } from "../testing/start-bidder.ts";
import { partnerFacts } from "./partner-facts.ts";

const at = await exchangeForEachTest();

const bid = (impId: string, priceMicros: number | null, cur = "USD"): UnrecordedResponse["bids"][number] => ({
  impId,
  priceMicros,
  cur,
  dealId: undefined,
  record: () => expect.fail("facts need no records"),
});
const answered = (participantId: string, more: Partial<UnrecordedResponse> = {}) => ({
  response: { participantId, call: 0, status: "no_bid" as const, latencyMs: 10, bids: [], ...more },
  bids: [],
});
const setup = { campaigns: null };
const eligible = (...ids: string[]) => ({
  eligible: ids.map((participantId) => ({ participantId, impIds: ["1", "2"] })),
});

test("each partner asked for an imp has its outcome, time and highest bid, in the order of asking", () => {
  const calls = [
    answered("b", { status: "timeout", latencyMs: 94 }),
    answered("a", { status: "bid", bids: [bid("1", 500_000), bid("1", 700_000), bid("2", 900_000)] }),
    answered("c", { status: "bid", bids: [bid("2", 100)] }),
  ];
  expect(partnerFacts({ calls, decision: eligible("a", "b", "c", "d"), setup }, "1")).toEqual({
    asked: ["a", "b", "c", "d"],
    outcomes: ["bid", "timeout", "no_bid", "request_failed"],
    latencies_ms: [10, 94, 10, 0],
    bids_micros: [700_000, 0, 0, 0],
  });
});

test("a price that nobody could be paid is no highest bid, but its bid was made", () => {
  const prices = [bid("1", null), bid("1", -1), bid("1", 5, "EUR"), bid("1", MAX_PRICE_MICROS + 1)];
  for (const one of prices) {
    const { outcomes, bids_micros } = partnerFacts(
      { calls: [answered("a", { status: "bid", bids: [one] })], decision: eligible("a"), setup },
      "1",
    );
    expect({ outcomes, bids_micros }).toEqual({ outcomes: ["bid"], bids_micros: [0] });
  }
});

test("of several calls of a partner, a bid counts first and a failure next, and the slowest gives the time", () => {
  const status = fc.constantFrom(...RESPONSE_STATUSES);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(status, fc.integer({ min: 1, max: 100 })), { minLength: 1, maxLength: 4 }),
      (calls) => {
        const made = calls.map(([each, latencyMs], call) =>
          answered("a", { call, status: each, latencyMs, bids: each === "bid" ? [bid("1", latencyMs)] : [] }),
        );
        const facts = partnerFacts({ calls: made, decision: eligible("a"), setup }, "1");
        const statuses = calls.map(([each]) => each);
        const failed = statuses.find((each) => each !== "bid" && each !== "no_bid");
        expect(facts.outcomes).toEqual([statuses.includes("bid") ? "bid" : (failed ?? "no_bid")]);
        expect(facts.latencies_ms).toEqual([Math.max(...calls.map(([, latencyMs]) => latencyMs))]);
      },
    ),
  );
});

test("of a partner's calls, only those that asked for an imp say what came of it", () => {
  const calls = [
    answered("a", { impIds: ["1"], latencyMs: 20 }),
    answered("a", { call: 1, impIds: ["2"], status: "timeout", latencyMs: 94 }),
    answered("b", { impIds: ["1"], status: "bid", bids: [bid("1", 500_000), bid("2", 700_000)] }),
  ];
  const factsOf = (impId: string) => partnerFacts({ calls, decision: eligible("a", "b"), setup }, impId);
  expect(factsOf("1")).toMatchObject({ outcomes: ["no_bid", "bid"], latencies_ms: [20, 10] });
  // A bid was made, whether or not it was asked for there.
  expect(factsOf("2")).toMatchObject({
    outcomes: ["timeout", "bid"],
    latencies_ms: [94, 10],
    bids_micros: [0, 700_000],
  });
  expect(factsOf("3")).toMatchObject({ asked: [] });
});

test("all campaigns are one partner, with the highest of their bids", () => {
  const campaign = (id: string) => ({ id, kind: "campaign" }) as never;
  const calls = [
    answered("a", { status: "bid", bids: [bid("1", 500_000)] }),
    answered("campaign-1", { status: "bid", latencyMs: 0, bids: [bid("1", 700_000)] }),
    answered("campaign-2", { status: "bid", latencyMs: 0, bids: [bid("1", 900_000), bid("2", 950_000)] }),
  ];
  const own = { campaigns: { participants: [campaign("campaign-1"), campaign("campaign-2")] } };
  expect(partnerFacts({ calls, decision: eligible("a", "campaign-1", "campaign-2"), setup: own }, "1")).toEqual({
    asked: ["a", "campaigns"],
    outcomes: ["bid", "bid"],
    latencies_ms: [10, 0],
    bids_micros: [500_000, 900_000],
  });
});

test("an auction's row has what each partner did, and the rollup counts it", async () => {
  await at.partner("buyer", (request, reply, origin) => sendBids(reply, request, [goodBid(request, origin, 2)]));
  await at.partner("quiet", (_, reply) => void reply.writeHead(204).end());
  await at.partner("broken", (_, reply) => void reply.writeHead(500).end());
  await askOpenrtb(at.exchange, bannerRequest());
  const [row] = await at.exchange.rows<{
    asked: string[];
    outcomes: string[];
    latencies_ms: number[];
    bids_micros: string[];
  }>("auctions");
  const of = (id: string) => row?.asked.indexOf(id) ?? -1;
  expect(row?.outcomes[of("buyer")]).toBe("bid");
  expect(row?.outcomes[of("quiet")]).toBe("no_bid");
  expect(row?.outcomes[of("broken")]).toBe("http_error");
  expect(Number(row?.bids_micros[of("buyer")])).toBe(2_000_000);
  expect(row?.latencies_ms.every((latency) => latency > 0)).toBe(true);
  const found = await at.stores.clickhouse.read.query({
    query: `SELECT provider, toUInt32(sum(asked)) AS asked, toUInt32(sum(bids)) AS bids, toUInt32(sum(wins)) AS wins,
      toUInt32(sum(errors)) AS errors, quantilesDDMerge(0.02, 0.5)(bid_micros)[1] AS bid FROM partner_daily
      WHERE app_id = ${at.app.id} GROUP BY provider ORDER BY provider`,
    format: "JSONEachRow",
  });
  const rollup = await found.json<
    Record<"asked" | "bids" | "wins" | "errors", number> & { provider: string; bid: number | null }
  >();
  expect(rollup.map(({ provider, asked, bids, wins, errors }) => ({ provider, asked, bids, wins, errors }))).toEqual([
    { provider: "broken", asked: 1, bids: 0, wins: 0, errors: 1 },
    { provider: "buyer", asked: 1, bids: 1, wins: 1, errors: 0 },
    { provider: "quiet", asked: 1, bids: 0, wins: 0, errors: 0 },
  ]);
  expect(Math.abs((rollup[1]?.bid ?? 0) / 2_000_000 - 1)).toBeLessThan(0.02);
});
