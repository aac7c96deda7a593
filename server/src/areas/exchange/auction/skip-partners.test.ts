import { decodeTrace, replay, type Offer } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { SKIP_EXPLORATION } from "@millrace/learning";
import { beforeEach, expect, test } from "vitest";
import { SKIP_TABLE } from "../../apps/index.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, bidsNothing, type TestBidder } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";
import { withSkips } from "./skip-partners.ts";

const at = await exchangeForEachTest();
let often: TestBidder;
let never: TestBidder;
let versions = 0;

beforeEach(async () => {
  often = await at.partner("often", bidsAt(2));
  never = await at.partner("never", bidsNothing);
  await learn({ never: { "": true } });
  await switchSkips(true);
});

async function learn(content: object): Promise<void> {
  await at.stores.pg.pool.query(
    `INSERT INTO learned_tables VALUES ($1, $2, $3, now())
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content`,
    [SKIP_TABLE, String(versions++), JSON.stringify(content)],
  );
  await at.exchange.exchange.reloadConfig();
}

async function switchSkips(on: boolean): Promise<void> {
  await at.stores.pg.pool.query("UPDATE apps SET skips_partners = $2 WHERE id = $1", [at.app.id, on]);
  await at.exchange.exchange.reloadConfig();
}

/** Asks for ads and counts the requests that reached the partner that never bids. */
async function sentToNever(ads: number, device: object = {}): Promise<number> {
  const session = await startSession(at.exchange, at.app);
  const before = never.requests.length;
  for (let nth = 0; nth < ads; nth++) {
    const { ads: sold } = await askForAd(at.exchange, session, { device: { ...DEVICE, ...device } });
    expect(sold).toHaveLength(1);
  }
  return never.requests.length - before;
}

/** How many of the partners' answers count as evidence. */
async function evidence(): Promise<string> {
  const query = "SELECT sum(asked) FROM bid_evidence_daily";
  return (await at.stores.clickhouse.read.query({ query, format: "TabSeparated" })).text();
}

interface TraceRow {
  trace: string;
}

test("a partner that is predicted not to bid is hardly asked, and each trace has the draw and replays to the same bytes", async () => {
  expect(await sentToNever(40)).toBeLessThan(8);
  expect(often.requests).toHaveLength(40);
  const rows = await at.exchange.rows<TraceRow>("traces");
  const skipped = rows.map(({ trace }) => {
    const bytes = new TextEncoder().encode(trace);
    expect(replay(bytes)).toMatchObject({ same: true, path: null });
    const { input, decision } = decodeTrace(bytes);
    const participant = input.participants.find(({ id }) => id === "never");
    const skip = participant?.kind === "bidding" ? participant.skip : undefined;
    const isRefused = decision.refused.some(
      ({ participantId, reason }) => participantId === "never" && reason === "predicted_no_bid",
    );
    expect(skip?.isSkipped).toBe(isRefused);
    expect(skip?.probability).toBe(isRefused ? 1 - SKIP_EXPLORATION : SKIP_EXPLORATION);
    return isRefused;
  });
  expect(skipped.filter((isSkipped) => !isSkipped)).toHaveLength(never.requests.length);
});

test("the requests that are sent all the same are recorded with their probability, and the others without", async () => {
  expect(await sentToNever(60)).toBeLessThan(10);
  const rows = await at.exchange.rows<{ asked: string[]; ask_probabilities: number[] }>("auctions");
  for (const { asked, ask_probabilities: probabilities } of rows) {
    const expected = asked.includes("never") ? asked.map((id) => (id === "never" ? SKIP_EXPLORATION : 1)) : [];
    expect(probabilities.map((each) => Number(each.toFixed(4)))).toEqual(expected);
  }
});

test("the explanation of an auction says that the partner was skipped, and how likely that was", async () => {
  const session = await startSession(at.exchange, at.app);
  const texts: string[] = [];
  for (let nth = 0; nth < 8; nth++) {
    const { auction } = await askForAd(at.exchange, session);
    await at.exchange.rows("traces");
    const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
    const { participants } = explainAuction.reply.parse(reply.json());
    texts.push(participants.find(({ provider }) => provider === "never")?.results[0]?.text ?? "");
  }
  expect(texts).toContain("Skipped: predicted no bid, as in 98% of such requests");
});

test("where every partner is skipped, there is no demand", async () => {
  await learn({ never: { "": true }, often: { "": true } });
  const session = await startSession(at.exchange, at.app);
  const reasons: (string | undefined)[] = [];
  for (let nth = 0; nth < 5; nth++) reasons.push((await askForAd(at.exchange, session)).reason);
  expect(reasons).toContain("Partners had no demand");
});

test("nobody is skipped while the switch is off, for a test device, or by a request that names its partners", async () => {
  const ifa = "38400000-8cf0-11bd-b23e-10b96e40000d";
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [at.app.id, [ifa]]);
  await at.exchange.exchange.reloadConfig();
  expect(await sentToNever(8, { ifa })).toBe(8);
  const before = never.requests.length;
  const request = bannerRequest();
  const named = { ...request, imp: [{ ...request.imp[0], ext: { prebid: { bidder: { never: {} } } } }] };
  for (let nth = 0; nth < 8; nth++) await askOpenrtb(at.exchange, named);
  expect(never.requests.length - before).toBe(8);
  await switchSkips(false);
  expect(await sentToNever(8)).toBe(8);
});

test("what partners do with a request that names them is recorded as no evidence, whether or not skips are on", async () => {
  const request = bannerRequest();
  const bidder = { never: { placement: "of somebody else" }, often: {} };
  const before = await evidence();
  const named = { ...request, imp: [{ ...request.imp[0], ext: { prebid: { bidder } } }] };
  await askOpenrtb(at.exchange, named);
  await switchSkips(false);
  await askOpenrtb(at.exchange, named);
  const rows = await at.exchange.rows<{ asked: string[]; ask_probabilities: number[] }>("auctions");
  expect(rows.map(({ asked }) => asked.toSorted())).toEqual([
    ["never", "often"],
    ["never", "often"],
  ]);
  expect(rows.map(({ ask_probabilities }) => ask_probabilities)).toEqual([
    [-1, -1],
    [-1, -1],
  ]);
  expect(await evidence()).toBe(before);
});

test("an app where no partner is skipped has the same participants, which no auction pays for", () => {
  const participants = [
    {
      kind: "bidding" as const,
      id: "often",
      name: "Often",
      mediaTypes: [],
      enabled: true,
      hasKeys: true,
      breaker: "closed" as const,
      currencies: ["USD"],
      acceptsChildDirected: true,
    },
  ];
  const request = {
    auctionId: "1",
    app: { id: 1, platform: "android" as const },
    country: "US",
    offers: [{ imp: { id: "1" }, format: "banner", floorMicros: 0, ownFloorMicros: 0 } satisfies Offer],
  };
  expect(withSkips(participants, { of: () => undefined }, request)).toBe(participants);
  expect(withSkips(participants, { of: () => ({ "banner/DE": true }) }, request)).toBe(participants);
});
