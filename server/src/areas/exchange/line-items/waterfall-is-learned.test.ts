import { decodeTrace, type LineParticipant, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { beforeEach, expect, test } from "vitest";
import { LINE_PRICE_TABLE } from "../../apps/index.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const { pool } = at.stores.pg;
let versions = 0;
let first: number;
let second: number;

beforeEach(async () => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO line_items (app_id, name, format, zones, enabled, source, prices, created_at)
     SELECT $1, name, 'banner', '{}', true, '{"kind":"html","html":"<p>Ad</p>","size":{"w":320,"h":50}}',
       '[{"country":null,"price":2000000}]', now() FROM unnest(ARRAY['First', 'Second']) AS name RETURNING id`,
    [at.app.id],
  );
  [first = 0, second = 0] = rows.map(({ id }) => id);
});

async function learn(content: object, exploration: number): Promise<void> {
  await pool.query("UPDATE apps SET exploration = $2 WHERE id = $1", [at.app.id, exploration]);
  await pool.query(
    `INSERT INTO learned_tables VALUES ($1, $2, $3, now())
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content`,
    [LINE_PRICE_TABLE, String(versions++), JSON.stringify(content)],
  );
  await at.exchange.exchange.reloadConfig();
}

const beliefs = () => ({
  [`line-items-${first}`]: { "": { mean: 0.5, sd: 0.1 } },
  [`line-items-${second}`]: { "": { mean: 1.5, sd: 0.1 } },
});

const traces = async () =>
  (await at.exchange.rows<{ trace: string }>("traces")).map(({ trace }) => new TextEncoder().encode(trace));
const linesIn = (bytes: Uint8Array): LineParticipant[] =>
  decodeTrace(bytes).input.participants.filter((participant) => participant.kind === "line");

test("line items are ranked at what was learned of them, among the bids, and the explanation says so", async () => {
  await at.partner("rival", bidsAt(2));
  await learn(beliefs(), 0);
  const session = await startSession(at.exchange, at.app);
  const { ads, auction } = await askForAd(at.exchange, session, {});
  expect(ads.map(({ provider, expected_micros }) => [provider, expected_micros])).toEqual([
    ["line-items", 3_000_000],
    ["rival", undefined],
    ["line-items", 1_000_000],
  ]);
  await at.exchange.rows("traces");
  const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
  const told = explainAuction.reply.parse(reply.json());
  expect(told.participants.map(({ name, results }) => [name, results[0]?.text])).toEqual([
    ["Partner rival", "$1.0000 short"],
    [
      "First",
      "$2.0000 short; ranked at the $1.0000 that it is expected to pay, $2.0000 stated, as in 100% of auctions",
    ],
    [
      "Second",
      "The highest expected price that could be tried; ranked at the $3.0000 that it is expected to pay, $2.0000 stated, as in 100% of auctions",
    ],
  ]);
});

test("in the share that its owner chose, an auction explores with all line items, and each trace has the draws, sums and replays", async () => {
  await learn(beliefs(), 50);
  const session = await startSession(at.exchange, at.app);
  for (let nth = 0; nth < 60; nth++) await askForAd(at.exchange, session, {});
  const all = await traces();
  expect(all).toHaveLength(60);
  let explored = 0;
  for (const bytes of all) {
    expect(replay(bytes)).toMatchObject({ same: true, path: null });
    const { decision } = decodeTrace(bytes);
    const draws = linesIn(bytes).flatMap(({ id, draw }) => (draw ? [{ id, ...draw }] : []));
    expect(draws).toHaveLength(2);
    // With all of them or with none.
    expect(new Set(draws.map(({ isExplored }) => isExplored)).size).toBe(1);
    for (const { id, priceMicros, expectedMicros, probability, isExplored } of draws) {
      expect(probability).toBe(isExplored ? 0.5 / 16 : 0.5);
      if (!isExplored) expect(priceMicros).toBe(expectedMicros);
      const placed = decision.imps[0]?.order.find(({ participantId }) => participantId === id);
      expect([placed?.priceMicros, placed?.clearingPriceMicros]).toEqual([priceMicros, 0]);
    }
    if (draws[0]?.isExplored === true) explored++;
  }
  expect(explored).toBeGreaterThan(15);
  expect(explored).toBeLessThan(45);
});

test("what a seller's SDK says of an impression is kept for learning, within reason, and is no money", async () => {
  await learn({}, 0);
  const session = await startSession(at.exchange, at.app);
  // Of one answer, a single ad is shown.
  const answers: Awaited<ReturnType<typeof askForAd>>[] = [];
  for (let nth = 0; nth < 3; nth++) answers.push(await askForAd(at.exchange, session, {}));
  const tokens = answers.map(({ ads }, nth) => new URL(ads[nth % 2]?.beacons.impression ?? "").searchParams.get("t"));
  const impression = (nth: number, paid_micros: unknown) => ({ type: "impression", token: tokens[nth], paid_micros });
  const reply = await post(at.exchange, "/sdk/v1/events", {
    events: [
      impression(0, 1_500_000),
      impression(1, 900_000_000),
      impression(1, -1),
      impression(1, "1"),
      impression(2, 0),
    ],
  });
  expect(reply.json<{ results: { result: string }[] }>().results.map(({ result }) => result)).toEqual([
    "accepted",
    "accepted",
    // A price that is none is ignored, and the impression counts like any other.
    "duplicate",
    "duplicate",
    "accepted",
  ]);
  const events = (await at.exchange.rows<Record<string, unknown>>("events")).filter(
    ({ kind, invalid }) => kind === "impression" && invalid === "",
  );
  expect(events.map(({ paid_micros, paid_told, stated_micros }) => [paid_micros, paid_told, stated_micros])).toEqual([
    ["1500000", 1, "2000000"],
    // Not more than five times what is stated.
    ["10000000", 1, "2000000"],
    ["0", 1, "2000000"],
  ]);
  for (const event of events) {
    expect([event["revenue_micros"], event["cost_micros"], event["gross_micros"]]).toEqual(["0", "0", "0"]);
  }
});
