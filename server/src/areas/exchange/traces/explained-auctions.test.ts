import { decodeTrace, type PartnerResponse, REASONS, type Trace } from "@millrace/auction";
import { explainAuction, type Reply } from "@millrace/contract";
import { impressionMicros, revenueShareMicros } from "@millrace/units";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { holdMoodyAuctions } from "../testing/moody-auctions.ts";

const at = await exchangeForEachTest();

type Explained = Reply<typeof explainAuction>;
interface StoredEvent {
  auction_id: string;
  kind: string;
  provider: string;
  invalid: string;
  revenue_micros: string;
  at: string;
}

const SHARE_PPM = 800_000;

const micros = (money: string | undefined) => Math.round(Number((money ?? "").replace(/[$,]/g, "")) * 1e6);

test("every sentence, price and time told of a thousand auctions is what their traces and events say", async () => {
  await holdMoodyAuctions(at);
  const traces = await at.exchange.rows<{ auction_id: string; trace: string }>("traces");
  const events = await at.exchange.rows<StoredEvent>("events");
  const rows = await at.exchange.rows<{ auction_id: string; imp_id: string; winner: string; price_micros: string }>(
    "auctions",
  );
  expect(traces).toHaveLength(1000);
  const kinds = new Map<string, number>();
  for (const { auction_id, trace } of traces) {
    const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction_id}.json` });
    const explained = explainAuction.reply.parse(reply.json());
    const own = events.filter((event) => event.auction_id === auction_id);
    for (const imp of explained.imps) {
      const row = rows.find((each) => each.auction_id === auction_id && each.imp_id === imp.imp);
      const told = checkImp(explained, imp, decodeTrace(new TextEncoder().encode(trace)), row, own);
      for (const kind of told) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  // All kinds of results occurred, so that each of their sentences was checked.
  expect([...kinds.keys()].toSorted()).toEqual(
    expect.arrayContaining([
      "failed",
      "no_ad",
      "no_bid",
      "not_asked",
      "outbid",
      "refused",
      "shown",
      "timeout",
      "under_floor",
      "won",
    ]),
  );
}, 300_000);

function checkImp(
  explained: Explained,
  imp: Explained["imps"][number],
  trace: Trace,
  row: { winner: string; price_micros: string } | undefined,
  events: readonly StoredEvent[],
): string[] {
  const decided = trace.decision.imps.find(({ impId }) => impId === imp.imp);
  if (!decided) throw new Error(`no imp ${imp.imp}`);
  const served = row
    ? row.winner === ""
      ? null
      : { provider: row.winner, price: Number(row.price_micros) }
    : best(decided.order);
  const kinds: string[] = [];
  const tally = { bid: 0, did: 0, failed: 0, ran: 0 };
  for (const { provider, results } of explained.participants) {
    const result = results.find((each) => each.imp === imp.imp);
    if (!result) throw new Error(`no result of ${provider}`);
    kinds.push(result.result);
    if (["won", "outbid", "under_floor", "refused"].includes(result.result)) tally.bid++;
    if (result.result === "no_bid") tally.did++;
    if (result.result === "failed") tally.failed++;
    if (result.result === "timeout") tally.ran++;
    checkResult(provider, result, { trace, served, floor: decided.floorMicros });
  }

  const of: CheckedImp = { explained, imp, trace, decided, served, events, tally };
  checkSentence(of);
  checkCrowd(of);
  checkMargin(of);
  if (served === null) kinds.push("no_ad");
  if (checkEarned(of)) kinds.push("shown");
  checkPrice(of);
  checkFollowed(of);
  return kinds;
}

interface CheckedImp {
  explained: Explained;
  imp: Explained["imps"][number];
  trace: Trace;
  decided: Trace["decision"]["imps"][number];
  served: { provider: string; price: number } | null;
  events: readonly StoredEvent[];
  tally: { bid: number; did: number; failed: number; ran: number };
}

const isCounted = ({ kind, invalid }: StoredEvent) => kind === "impression" && invalid === "";

function checkSentence({ imp, trace, decided, served, events }: CheckedImp): void {
  if (served === null) {
    expect(imp.sentence).toMatch(/^This banner request got no ad: .+\.$/);
  } else {
    const shown = /^(.+) was shown as this banner with (\$[\d.,]+) CPM, after a higher bid\.$/.exec(imp.sentence);
    const won = /^(.+) won this banner with (\$[\d.,]+) CPM, (.+) after it was asked\.$/.exec(imp.sentence);
    if (shown) {
      const event = events.find(isCounted);
      expect(shown[1]).toBe(`Partner ${event?.provider}`);
      expect(
        decided.order.some((ad) => ad.participantId === event?.provider && ad.clearingPriceMicros === micros(shown[2])),
      ).toBe(true);
      expect(micros(shown[2])).toBeLessThanOrEqual(served.price);
    } else {
      expect([won?.[1], micros(won?.[2])]).toEqual([`Partner ${served.provider}`, served.price]);
      const took = trace.responses
        .filter(({ participantId }) => participantId === served.provider)
        .map(({ latencyMs }) => latencyMs);
      expect(took.some((latencyMs) => isSpan(won?.[3], latencyMs))).toBe(true);
    }
  }
}

function checkCrowd({ imp, trace, tally }: CheckedImp): void {
  const asked = trace.decision.eligible.filter(({ impIds }) => impIds.includes(imp.imp)).length;
  const crowd = /^(?:(\d+) partners? (?:was|were) asked: ([^.]+)|None of 6 partners could be asked)\./.exec(imp.detail);
  expect(Number(crowd?.[1] ?? (crowd && 0))).toBe(asked);
  const told = { bid: 0, did: 0, failed: 0, ran: 0 };
  for (const [, number, word] of (crowd?.[2] ?? "").matchAll(/(\d+) (bid|did|failed|ran)/g))
    told[word as keyof typeof told] = Number(number);
  expect(told).toEqual(tally);
  expect(tally.bid + tally.did + tally.failed + tally.ran).toBe(asked);
}

/** The distance to the next bid, and the floor: the publisher's $0.30 for banners, or the request's own. */
function checkMargin({ imp, decided, served }: CheckedImp): void {
  const about = imp.detail;
  const place = decided.order.findIndex(
    (ad) => ad.participantId === served?.provider && ad.clearingPriceMicros === served.price,
  );
  const next = decided.order[place + 1];
  const behind = /(\$[\d.,]+) behind\./.exec(about);
  if (behind) expect((served?.price ?? 0) - micros(behind[1])).toBe(next?.clearingPriceMicros);
  if (/no other valid bid/.test(about)) expect(next).toBeUndefined();
  if (/bid the same|at the same price/.test(about)) expect(next?.clearingPriceMicros).toBe(served?.price);
  expect(imp.floor).toBe(decided.floorMicros);
  expect(imp.floor_by?.source).toBe(decided.floorMicros === 300_000 ? "publisher" : "request");
  const closest = /bid (\$[\d.,]+), (\$[\d.,]+) under the floor of (\$[\d.,]+)\./.exec(about);
  if (closest) {
    expect(micros(closest[3])).toBe(decided.floorMicros);
    expect(micros(closest[1]) + micros(closest[2])).toBe(decided.floorMicros);
  }
}

/** Whether `41 ms` or `1.2 s` is this time, rounded. */
function isSpan(text: string | undefined, ms: number): boolean {
  const [, number, unit] = /^([\d.]+) (ms|s)$/.exec(text ?? "") ?? [];
  return Math.abs(Number(number) * (unit === "s" ? 1000 : 1) - ms) <= (unit === "s" ? 50 : 0.5);
}

/** Whether the ad was shown, when, and what it earned. */
function checkEarned({ imp, trace, events }: CheckedImp): boolean {
  const about = imp.detail;
  const counted = events.filter(isCounted);
  const earned = /The ad was shown (.+) after the request and earned you (\$[\d.,]+)\./.exec(about);
  expect(earned !== null).toBe(counted.length > 0);
  if (earned) {
    expect(micros(earned[2])).toBe(Number(counted[0]?.revenue_micros));
    const afterMs = Date.parse(`${counted[0]?.at.replace(" ", "T")}Z`) - trace.input.at;
    expect(isSpan(earned[1], afterMs)).toBe(true);
  }
  if (/is a test/.test(about)) expect(trace.decision.test).toBe(true);
  return earned !== null;
}

/** The price in three lines. */
function checkPrice({ imp, trace, decided, served, events }: CheckedImp): void {
  const counted = events.filter(isCounted);
  if (imp.price) {
    const { impression, thousand, fee_ppm } = imp.price;
    expect(impression.fee + impression.earned).toBe(impression.cleared);
    expect(thousand.fee + thousand.earned).toBe(thousand.cleared);
    expect(fee_ppm).toBe(1_000_000 - SHARE_PPM);
    expect(impression.cleared).toBe(impressionMicros(thousand.cleared));
    expect(impression.earned).toBe(
      counted.length > 0 ? Number(counted[0]?.revenue_micros) : revenueShareMicros(impression.cleared, SHARE_PPM),
    );
    expect(
      decided.order.some(
        (ad) => ad.participantId === imp.price?.provider && ad.clearingPriceMicros === thousand.cleared,
      ),
    ).toBe(true);
    expect(imp.price.is_earned).toBe(counted.length > 0);
  }
  expect(imp.price === null).toBe(served === null || trace.decision.test);
}

function checkFollowed({ explained, events }: CheckedImp): void {
  if (explained.imps.length === 1) {
    expect(
      explained.followed.map(({ kind, provider, counted: does, revenue }) => [kind, provider, does, revenue ?? 0]),
    ).toEqual(
      expect.arrayContaining(
        events.map((event) => [event.kind, event.provider, event.invalid === "", Number(event.revenue_micros)]),
      ),
    );
    expect(explained.followed).toHaveLength(events.length);
    expect(explained.followed.every(({ counted: does, why_not: whyNot }) => does === (whyNot === null))).toBe(true);
  }
}

const best = (order: Trace["decision"]["imps"][number]["order"]) =>
  order[0] ? { provider: order[0].participantId, price: order[0].clearingPriceMicros } : null;

interface Known {
  trace: Trace;
  served: { provider: string; price: number } | null;
  floor: number;
}

/** Each text must be one of the known sentences, and true of the trace. */
function checkResult(
  provider: string,
  result: Explained["participants"][number]["results"][number],
  { trace, served, floor }: Known,
) {
  const verdicts = trace.decision.bids.filter((bid) => bid.participantId === provider && bid.impId === result.imp);
  const responses = trace.responses.filter(({ participantId }) => participantId === provider);
  const refusal = trace.decision.refused.find(
    ({ participantId, impId }) => participantId === provider && (impId === undefined || impId === result.imp),
  );
  const { text, price } = result;
  switch (result.result) {
    case "won":
      expect([provider, price]).toEqual([served?.provider, served?.price]);
      return expect(text).toMatch(
        /^(The only valid bid|The highest bid that could be shown|The same price as the next; a draw decided)$/,
      );
    case "outbid": {
      const short = /^(\$[\d.,]+) short$/.exec(text);
      if (short) return expect((price ?? 0) + micros(short[1])).toBe(served?.price);
      expect(text).toBe("The same price; a draw decided");
      return expect(price).toBe(served?.price);
    }
    case "under_floor": {
      const [, gap, whose, of] = /^(\$[\d.,]+) under (the|its deal's) floor of (\$[\d.,]+)$/.exec(text) ?? [];
      expect(micros(of)).toBe(whose === "the" ? floor : 1_200_000);
      expect((price ?? 0) + micros(gap)).toBe(micros(of));
      return expect(verdicts.some(({ priceMicros }) => priceMicros === price)).toBe(true);
    }
    case "refused":
      return expect(
        verdicts.map(({ status, priceMicros, reason, path }) => [
          status,
          priceMicros,
          (reason && REASONS[reason]) + (path === undefined ? "" : ` (${path})`),
        ]),
      ).toContainEqual(["invalid", price, text]);
    case "no_bid":
      expect(verdicts).toEqual([]);
      return expect(text).toMatch(/^(|Its bids were for other imps of the request)$/);
    case "failed": {
      const status = /^It answered HTTP (\d+)$/.exec(text)?.[1];
      if (status === undefined) return expect(text).toMatch(/^(The answer could not be read|The connection failed)$/);
      return expect(responses.map(({ httpStatus }) => httpStatus)).toContain(Number(status));
    }
    case "timeout": {
      if (responses.length === 0) return expect(text).toBe("The auction ended before it answered");
      const waited = Number(/^No answer in (\d+) ms, when bids closed$/.exec(text)?.[1]);
      return expect(Math.abs(waited - slowest(responses))).toBeLessThanOrEqual(0.5);
    }
    case "not_asked":
      expect(responses).toEqual([]);
      // On a busy machine partners miss so many deadlines that their breakers open.
      expect(["media_type_unsupported", "breaker_open"]).toContain(refusal?.reason);
      return expect(text).toBe(refusal && REASONS[refusal.reason]);
    default:
      throw new Error(`${result.result} is no result of a traced auction`);
  }
}

const slowest = (responses: readonly PartnerResponse[]) =>
  Math.max(...responses.filter(({ status }) => status === "timeout").map(({ latencyMs }) => latencyMs));
