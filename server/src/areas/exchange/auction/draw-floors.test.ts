import { decodeTrace, type FloorDraw, replay } from "@millrace/auction";
import { explainAuction } from "@millrace/contract";
import { floorAtStep, HOLD_OUT } from "@millrace/learning";
import { beforeEach, expect, test } from "vitest";
import { FLOOR_TABLE } from "../../apps/index.ts";
import { askOpenrtb, bannerRequest } from "../testing/ask-openrtb.ts";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt, type TestBidder } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();
const OWN_MICROS = 400_000;
/** $1.12 and a step of it to either side. */
const STEP = 73;
let bidder: TestBidder;
let price = 2;
let versions = 0;

beforeEach(async () => {
  price = 2;
  bidder = await at.partner("aurora", (...call) => bidsAt(price)(...call));
  await at.stores.pg.pool.query(
    "INSERT INTO floors (app_id, country, format, floor_micros) VALUES ($1, NULL, NULL, $2)",
    [at.app.id, OWN_MICROS],
  );
  await learn("holds");
  await turn(true);
});

async function learn(state: string, cells = ["banner/US/android", "banner/XX/android"]): Promise<void> {
  const nothing = { count: 0, sum: 0, squares: 0 };
  const floor = { step: STEP, state, movedAt: 0, automatic: nothing, held: nothing, requests: 0 };
  await at.stores.pg.pool.query(
    `INSERT INTO learned_tables VALUES ($1, $2, $3, now())
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content`,
    [
      FLOOR_TABLE,
      String(versions++),
      JSON.stringify({ [at.app.id]: Object.fromEntries(cells.map((cell) => [cell, floor])) }),
    ],
  );
  await at.exchange.exchange.reloadConfig();
}

async function turn(on: boolean): Promise<void> {
  await at.stores.pg.pool.query("UPDATE apps SET automatic_floors = $2 WHERE id = $1", [at.app.id, on]);
  await at.exchange.exchange.reloadConfig();
}

/** The floors that the bidder was told, CPM in micro-dollars, oldest first. */
const toldFloors = () =>
  bidder.requests.map(({ imp: [imp] }) => {
    expect(imp?.bidfloorcur ?? "USD").toBe("USD");
    return Math.round((imp?.bidfloor ?? 0) * 1_000_000);
  });

async function askTimes(times: number, device: object = {}) {
  const session = await startSession(at.exchange, at.app);
  const auctions: string[] = [];
  for (let nth = 0; nth < times; nth++) {
    auctions.push((await askForAd(at.exchange, session, { device: { ...DEVICE, ...device } })).auction);
  }
  return auctions;
}

interface Told {
  auction_id: string;
  floor_arm: string;
  floor_step: number;
  floor_probability: number;
  floor_micros: string;
}

test("the floor that is drawn is told to bidders, applied, traced with its probability, recorded, and replays to the same bytes", async () => {
  await askTimes(60);
  const rows = new Map((await at.exchange.rows<Told>("auctions")).map((row) => [row.auction_id, row]));
  const traces = await at.exchange.rows<{ trace: string }>("traces");
  expect(traces).toHaveLength(60);
  const drawn: FloorDraw[] = [];
  for (const { trace } of traces) {
    const bytes = new TextEncoder().encode(trace);
    expect(replay(bytes)).toMatchObject({ same: true, path: null });
    const { input, decision } = decodeTrace(bytes);
    const [draw] = input.floorDraws ?? [];
    if (!draw) throw new Error("every one is drawn");
    drawn.push(draw);
    expect(decision.imps[0]?.floorMicros).toBe(draw.floorMicros);
    expect(Math.round((input.request.imp[0]?.bidfloor ?? 0) * 1_000_000)).toBe(draw.floorMicros);
    const row = rows.get(decision.auctionId);
    expect([row?.floor_arm, row?.floor_step, Number(row?.floor_micros)]).toEqual([
      draw.arm,
      draw.step ?? 0,
      draw.floorMicros,
    ]);
    expect(row?.floor_probability).toBeCloseTo(draw.probability, 6);
  }
  const ascending = (a: number, b: number) => a - b;
  expect(toldFloors().toSorted(ascending)).toEqual(drawn.map(({ floorMicros }) => floorMicros).toSorted(ascending));
  // Proven: all but the hold-out have the learned floor, or one beside it.
  expect(new Set(drawn.map(({ arm }) => arm))).not.toContain("own");
  for (const { arm, floorMicros, probability, step } of drawn) {
    expect(floorMicros).toBe(arm === "held" ? OWN_MICROS : floorAtStep(step ?? 0));
    expect(probability).toBeCloseTo({ held: HOLD_OUT, own: 0, learned: 0.95 * 0.7, shock: 0.95 * 0.15 }[arm]);
  }
  expect(drawn.filter(({ arm }) => arm === "learned").length).toBeGreaterThan(20);
});

test("a bid at the drawn floor wins, and one below it does not", async () => {
  price = floorAtStep(STEP) / 1_000_000;
  await askTimes(40);
  const rows = await at.exchange.rows<Told & { winner: string; no_ad: string }>("auctions");
  for (const { floor_micros, winner, no_ad } of rows) {
    const isSold = Number(floor_micros) <= floorAtStep(STEP);
    expect([winner, no_ad]).toEqual(isSold ? ["aurora", ""] : ["", "no_bid_above_floor"]);
  }
  expect(new Set(rows.map(({ winner }) => winner))).toEqual(new Set(["aurora", ""]));
});

test("while nothing is proven most requests keep the publisher's floor, and the explanation says which floor held and why", async () => {
  await learn("learning");
  const auctions = await askTimes(40);
  const rows = new Map((await at.exchange.rows<Told>("auctions")).map((row) => [row.auction_id, row]));
  await at.exchange.rows("traces");
  const texts = new Map<string, string>();
  for (const auction of auctions) {
    const reply = await at.exchange.app.inject({ method: "GET", url: `/auctions/${auction}.json` });
    const { imps } = explainAuction.reply.parse(reply.json());
    texts.set(rows.get(auction)?.floor_arm ?? "", imps[0]?.floor_by?.text ?? "");
  }
  expect(texts.get("own")).toBe(
    "Your floor for all countries, all formats; automatic floors are on trial, and 65% of requests keep yours",
  );
  expect(texts.get("learned")).toBe("Automatic floor, drawn with a probability of 21%; your floor is $0.4000");
});

test("an OpenRTB request gets the drawn floor too, unless it asks for more", async () => {
  for (let nth = 0; nth < 12; nth++) await askOpenrtb(at.exchange, bannerRequest());
  expect(toldFloors()).toHaveLength(12);
  expect(Math.max(...toldFloors())).toBeGreaterThanOrEqual(floorAtStep(STEP));
  const request = bannerRequest();
  const dear = { ...request, imp: [{ ...request.imp[0], bidfloor: 1.5 }] };
  for (let nth = 0; nth < 6; nth++) await askOpenrtb(at.exchange, dear);
  expect(new Set(toldFloors().slice(12))).toEqual(new Set([1_500_000]));
});

test("nothing is drawn while the switch is off, for a test device, or where nothing is learned", async () => {
  const ifa = "38400000-8cf0-11bd-b23e-10b96e40000d";
  await at.stores.pg.pool.query("UPDATE apps SET test_devices = $2 WHERE id = $1", [at.app.id, [ifa]]);
  await at.exchange.exchange.reloadConfig();
  await askTimes(6, { ifa });
  await learn("holds", ["video/US/android"]);
  await askTimes(6);
  await learn("holds");
  await turn(false);
  await askTimes(6);
  expect(toldFloors()).toEqual(Array.from({ length: 18 }, () => OWN_MICROS));
  const rows = await at.exchange.rows<Told>("auctions");
  expect(new Set(rows.map(({ floor_arm }) => floor_arm))).toEqual(new Set([""]));
});
