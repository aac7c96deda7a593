import type { AutomaticFloors } from "@millrace/contract";
import { drawFloor, floorAtStep } from "@millrace/learning";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { auction, impression, keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import type { App } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";
import { FLOOR_EVIDENCE_TABLE, FLOOR_TABLE, LearnedFloors, publishFloors } from "./publish-floors.ts";

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CELL = "banner/US/android";
const OWN_MICROS = 400_000;
const stores = await testStores();
const { pool } = stores.pg;
let at: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let other: number;
let app: App;

beforeAll(async () => {
  at = await appsServer(stores, { now: () => NOW, role: "SUSR" });
  [owner, other] = [await newAccount(stores, "Owner"), await newAccount(stores, "Other")];
  app = await createApp(pool, owner, { name: "Tide", bundleId: "com.example.tide", platform: "android" });
  await pool.query("UPDATE apps SET moderation = 'live' WHERE id = $1", [app.id]);
  await pool.query("INSERT INTO floors (app_id, country, format, floor_micros) VALUES ($1, 'US', NULL, $2)", [
    app.id,
    OWN_MICROS,
  ]);
});
afterAll(() => at.stop());

const path = () => `/apps/${app.uuid}/automatic_floors`;
const read = async () => (await at.get(owner, `${path()}.json`)).body as AutomaticFloors;
const turn = (enabled: unknown, accountId = owner) => at.send("PUT", accountId, path(), { enabled });

async function published(): Promise<Record<string, LearnedFloors>> {
  await publishFloors({ pool, statistics: at.statistics, clock: { now: () => NOW } });
  const { rows } = await pool.query<{ content: Record<string, unknown> }>(
    "SELECT content FROM learned_tables WHERE name = $1",
    [FLOOR_EVIDENCE_TABLE],
  );
  return Object.fromEntries(
    Object.entries(rows[0]?.content ?? {}).map(([id, floors]) => [id, LearnedFloors.parse(floors)]),
  );
}

/** What exchanges read. */
async function inForce() {
  const { rows } = await pool.query<{ version: string; content: Record<string, unknown> }>(
    "SELECT version, content FROM learned_tables WHERE name = $1",
    [FLOOR_TABLE],
  );
  return rows[0];
}

/**
 * Requests of the last days whose floors are drawn as the exchange draws them. Of three in four, a buyer pays the floor unless the
 * request is worth less to it: so a higher floor earns more, up to a point. Of `gone`, only the publisher's floor is paid.
 */
const requests = (name: string, count: number, { step, gone = false }: { step: number; gone?: boolean }) =>
  withImpressions(
    Array.from({ length: count }, (_, nth) => {
      const seed = `${name} ${nth}`;
      const draw = drawFloor({ seed, impId: "1" }, { step, isProven: false }, OWN_MICROS);
      const worth = gone ? OWN_MICROS : 500_000 + (nth % 10) * 300_000;
      const isSold = nth % 4 !== 0 && worth >= draw.floorMicros;
      return auction(new Date(NOW - HOUR_MS - 1000 - ((nth % 40) / 10) * DAY_MS).toISOString(), {
        app_id: app.id,
        winner: isSold ? "aurora" : "",
        price_micros: isSold ? draw.floorMicros : 0,
        no_ad: isSold ? "" : "no_demand",
        floor_micros: draw.floorMicros,
        floor_arm: draw.arm,
        floor_step: draw.step ?? 0,
        floor_probability: draw.probability,
      });
    }),
  );

/** Each ad is shown a second later. */
const withImpressions = (auctions: ReturnType<typeof auction>[]) => ({
  auctions,
  events: auctions.flatMap(({ at: asked, app_id, auction_id, country, winner, price_micros: price }) => {
    if (winner === "") return [];
    const atMs = Number(asked) * 1000 + 1000;
    const ad = { app_id, auction_id, country, provider: winner, gross_micros: Math.round(price / 1000) };
    return [impression(new Date(atMs).toISOString(), ad)];
  }),
});

test("automatic floors are off until the app's owner switches them on, which is logged once, and others cannot", async () => {
  expect(await read()).toEqual({ enabled: false, fitted_at: null, total: null, cells: [], more: 0 });
  expect(await turn(true, other)).toMatchObject({ status: 404 });
  expect(await turn("yes")).toMatchObject({ status: 400 });
  expect(await published()).toEqual({});
  for (let times = 0; times < 2; times++) {
    expect(await turn(true)).toMatchObject({ status: 200, body: { enabled: true, fitted_at: null } });
  }
  const log = "SELECT details FROM audit_log WHERE action = 'app_automatic_floors_switched' AND subject = $1";
  expect((await pool.query(log, [app.uuid])).rows).toEqual([{ details: { enabled: true } }]);
});

test("a cell with enough requests gets a floor, holds once its gain is proven, and says so with its interval", async () => {
  const before = Array.from({ length: 1100 }, (_, nth) =>
    auction(new Date(NOW - 6 * DAY_MS).toISOString(), { app_id: app.id, price_micros: 500_000 + nth * 1000 }),
  );
  const rare = before.slice(0, 900).map((row) => ({ ...row, country: "DE" }));
  await keep(stores.clickhouse, withImpressions([...before, ...rare]));
  const first = (await published())[app.id];
  expect(Object.keys(first ?? {})).toEqual([CELL]);
  const step = first?.[CELL]?.step ?? 0;
  // A tenth sold for less than $0.61.
  expect(floorAtStep(step)).toBeGreaterThan(570_000);
  expect(floorAtStep(step)).toBeLessThan(650_000);
  expect((await read()).cells).toMatchObject([
    { format: "banner", country: "US", own: OWN_MICROS, floor: floorAtStep(step), state: "learning", lift: null },
  ]);

  await keep(stores.clickhouse, requests("gain", 20_000, { step }));
  const learned = (await published())[app.id]?.[CELL];
  expect(learned).toMatchObject({ state: "holds" });
  const { cells, total, fitted_at } = await read();
  expect(fitted_at).toBe(new Date(NOW).toISOString());
  const [cell] = cells;
  expect(cell?.state).toBe("holds");
  expect(cell?.low).toBeGreaterThan(0);
  expect(cell?.lift).toBeGreaterThan(cell?.low ?? 0);
  expect(cell?.high).toBeGreaterThan(cell?.lift ?? 0);
  // Of 20,000, 30% and 5%.
  expect(Math.abs((cell?.requests ?? 0) - 6000)).toBeLessThan(300);
  expect(Math.abs((cell?.held ?? 0) - 1000)).toBeLessThan(120);
  expect(total).toEqual({
    lift: cell?.lift,
    low: cell?.low,
    high: cell?.high,
    requests: cell?.requests,
    held: cell?.held,
  });
  expect((await pool.query("SELECT FROM learned_tables WHERE name = $1", [FLOOR_TABLE])).rowCount).toBe(1);
});

test("exchanges read steps and states alone, in a version that more evidence does not change", async () => {
  const before = await inForce();
  const known = (await published())[app.id]?.[CELL];
  const step = known?.step ?? 0;
  expect(before?.content).toEqual({ [app.id]: { [CELL]: { step, state: "holds" } } });
  await keep(stores.clickhouse, requests("more", 100, { step }));
  expect((await published())[app.id]?.[CELL]?.requests).toBeGreaterThan(known?.requests ?? 0);
  expect(await inForce()).toEqual(before);
});

test("once buyers stop paying more, the cell falls back, and a certain loss brings the publisher's floor back", async () => {
  await keep(stores.clickhouse, requests("gone", 40_000, { step: 67, gone: true }));
  const learned = (await published())[app.id]?.[CELL];
  expect(learned?.state).toBe("fell_back");
  const [cell] = (await read()).cells;
  expect(cell).toMatchObject({ state: "fell_back", floor: OWN_MICROS, own: OWN_MICROS });
  expect(cell?.high).toBeLessThan(0);
});

test("switched off, nothing is learned or shown", async () => {
  await turn(false);
  expect(await published()).toEqual({});
  expect((await inForce())?.content).toEqual({});
  expect(await read()).toEqual({ enabled: false, fitted_at: null, total: null, cells: [], more: 0 });
});
