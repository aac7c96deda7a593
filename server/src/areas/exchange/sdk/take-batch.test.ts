import { randomUUID } from "node:crypto";
import { EVENTS_PER_BATCH, type Reply, sdkEvents } from "@millrace/contract";
import { expect, test } from "vitest";
import { Problem } from "../../../platform/http/problem.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, type EventRow, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const tokenOf = (address = "") => new URL(address).searchParams.get("t") ?? "";

async function anAd(session: string) {
  const { beacons } = (await askForAd(at.exchange, session)).ads[0] ?? {};
  return {
    impression: { type: "impression", token: tokenOf(beacons?.impression) },
    click: { type: "click", token: tokenOf(beacons?.click) },
    loss: { type: "loss", token: tokenOf(beacons?.loss) },
  };
}

async function send(events: unknown[]): Promise<Reply<typeof sdkEvents>["results"]> {
  const reply = await post(at.exchange, "/sdk/v1/events", { events });
  if (reply.statusCode !== 200) throw new Error(`a batch was answered ${reply.statusCode}: ${reply.body}`);
  return sdkEvents.reply.parse(reply.json()).results;
}

async function counted(): Promise<string[]> {
  const rows = await at.exchange.rows<EventRow>("events");
  return rows.map(({ kind, invalid }) => `${kind} ${invalid}`.trim()).sort();
}

const refused = (code: string) => ({ result: "refused", code });

test("a batch is stored as one, and the reply has a result for each event in order", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const [first, second] = [await anAd(session), await anAd(session)];
  at.exchange.clock.offsetMs = 500;
  let appends = 0;
  const { appendAll } = at.exchange.statistics.events;
  at.exchange.statistics.events.appendAll = (table, rows) => (appends++, appendAll(table, rows));
  const events = [
    // Counts although it comes before its impression.
    first.click,
    first.impression,
    first.impression,
    second.loss,
    { type: "ping", session, seq: 1, seconds: 3 },
    { type: "ping", session: "nonsense", seq: 1, seconds: 3 },
    { type: "impression", token: second.click.token },
    { type: "impression", token: 7 },
    { type: "unheard-of" },
    null,
  ];
  expect(await send(events)).toEqual([
    { result: "accepted" },
    { result: "accepted" },
    { result: "duplicate" },
    { result: "accepted" },
    { result: "accepted" },
    refused("session_unknown"),
    refused("forged"),
    refused("malformed"),
    refused("malformed"),
    refused("malformed"),
  ]);
  expect(appends).toBe(1);
  expect(await counted()).toEqual([
    "click",
    "impression",
    "impression forged",
    "impression replayed",
    "ping",
    "session",
  ]);
  const again = await send(events.slice(0, 5));
  expect(again.map(({ result }) => result)).toEqual(["duplicate", "duplicate", "duplicate", "accepted", "duplicate"]);
});

test("a late event is refused as expired, and invalid traffic is accepted without a reason", async () => {
  await at.partner("buyer", bidsAt(1));
  const { impression } = await anAd(await startSession(at.exchange, at.app));
  const crawler = { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
  const seen = await post(at.exchange, "/sdk/v1/events", { events: [impression] }, crawler);
  expect(seen.json()).toEqual({ results: [{ result: "accepted" }] });
  at.exchange.clock.offsetMs = 25 * 3_600_000;
  expect(await send([impression])).toEqual([refused("expired")]);
  expect(await counted()).toEqual(["impression crawler", "impression expired", "session"]);
});

test("a batch that cannot be stored acknowledges nothing, and counts once after any number of retries", async () => {
  await at.partner("buyer", bidsAt(1));
  const session = await startSession(at.exchange, at.app);
  const { impression, click } = await anAd(session);
  at.exchange.clock.offsetMs = 500;
  const { events } = at.exchange.statistics;
  const { appendAll } = events;
  events.appendAll = async () => {
    throw new Problem("unavailable", "The disk is full", { retryAfterSeconds: 1 });
  };
  const batch = [impression, click, { type: "ping", session, seq: 1, seconds: 3 }];
  for (let nth = 0; nth < 130; nth++) {
    expect((await post(at.exchange, "/sdk/v1/events", { events: batch })).statusCode).toBe(503);
  }
  events.appendAll = appendAll;
  const all = await Promise.all([1, 2, 3].map(() => send(batch)));
  expect(all.flat().filter(({ result }) => result === "accepted")).toHaveLength(3);
  expect(all.flat().filter(({ result }) => result === "duplicate")).toHaveLength(6);
  expect((await counted()).filter((row) => !row.includes("replayed"))).toEqual([
    "click",
    "impression",
    "ping",
    "session",
  ]);
});

test("an empty, too long, too large or malformed batch is refused as a whole", async () => {
  const status = async (body: unknown) => (await post(at.exchange, "/sdk/v1/events", body)).statusCode;
  const event = { type: "impression", token: "x" };
  // Enough for every batch of this test.
  await at.restart({ limits: { beacon: { burst: 2 * EVENTS_PER_BATCH, perSecond: 1 } } });
  expect(await status({ events: [] })).toBe(400);
  expect(await status({ events: "all" })).toBe(400);
  expect(await status([event])).toBe(400);
  expect(await status({ events: Array.from({ length: EVENTS_PER_BATCH + 1 }, () => event) })).toBe(400);
  expect(await status({ events: [{ type: "impression", token: "x".repeat(1024 * 1024) }] })).toBe(413);
  expect(await status({ events: Array.from({ length: EVENTS_PER_BATCH }, () => event) })).toBe(200);
});

test("a batch counts toward its address's limit as much as its beacons", async () => {
  await at.restart({ limits: { beacon: { burst: 100, perSecond: 1 } } });
  const ofOne = (size: number) =>
    post(at.exchange, "/sdk/v1/events", { events: Array.from({ length: size }, () => ({ token: randomUUID() })) });
  expect((await ofOne(90)).statusCode).toBe(200);
  const tooMany = await ofOne(90);
  expect([tooMany.statusCode, Number(tooMany.headers["retry-after"]) > 60]).toEqual([429, true]);
  expect((await ofOne(5)).statusCode).toBe(200);
});
