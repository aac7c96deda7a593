import type { ClickHouseClient } from "@clickhouse/client";
import type { AppMediation, Changes, PublisherParts, Reply, dashFilters, listRequests } from "@millrace/contract";
import { DAY_MS, dayOf } from "@millrace/units";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { sampleFigures } from "../../../../../demo/src/index.ts";
import { silentLog } from "../../../platform/log.ts";
import { openJobs } from "../../../platform/jobs/index.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { impression, keep } from "../../statistics/testing/some-rows.ts";
import { type App, createApp, listApps } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
const jobs = openJobs({ pool, log: silentLog, timing: { pollMs: 50 } });
let at: Awaited<ReturnType<typeof appsServer>>;
let account: number;
let samples: App[];

beforeAll(async () => {
  at = await appsServer(stores, { role: "owner", jobs, samples: sampleFigures(800_000) });
  await jobs.start();
  account = await newAccount(stores, "New");
  await at.send("POST", account, "/apps/add_app", { type: "apps", demo: "1" });
  samples = await listApps(pool, allAppsOf(account));
});
afterAll(async () => {
  await jobs.stop();
  await at.stop();
});

const ask = async (read: ClickHouseClient, query: string) =>
  (await (await read.query({ query, format: "JSONEachRow" })).json<Record<string, number | string>>())[0];
const rowsOf = ({ id }: App) =>
  ask(
    stores.clickhouse.read,
    `SELECT uniqExact(toDate(at)) AS days, count() > 0 AS some, min(demo) AS demo FROM auctions WHERE app_id = ${id}`,
  );
const impressionsOf = async ({ id }: App) =>
  Number(
    (await ask(stores.clickhouse.read, `SELECT sum(impressions) AS n FROM sums_daily WHERE app_id = ${id}`))?.["n"],
  );
type RequestList = Reply<typeof listRequests>;
const WITHIN = { timeout: 60_000, interval: 200 };

test(
  "each sample gets a week of figures, marked as demo data, and the zones they are in",
  { timeout: 120_000 },
  async () => {
    expect(samples.map(({ isSample }) => isSample)).toEqual([true, true]);
    for (const sample of samples) {
      await expect.poll(async () => Number((await rowsOf(sample))?.["days"]), WITHIN).toBeGreaterThanOrEqual(6);
      await expect.poll(() => impressionsOf(sample), WITHIN).toBeGreaterThan(100);
      expect(await rowsOf(sample)).toMatchObject({ some: 1, demo: 1 });
      const { body } = await at.get(
        account,
        `/apps/${sample.uuid}/stats.json?ds=2015-03-30&de=${dayOf(Date.now())}&func=stats&view=zone`,
      );
      const { stat_table } = body as { stat_table?: { stats: { name: string }[] } };
      expect((stat_table ?? (body as { stats: { stats: { name: string }[] } }).stats).stats.length).toBeGreaterThan(0);
      const { rowCount } = await pool.query("SELECT FROM zones WHERE app_id = $1", [sample.id]);
      expect(rowCount).toBeGreaterThan(0);
    }
  },
);

test("all apps together say which are samples, and name the samples' providers without the demo's partners", async () => {
  const asked = `/apps/performance/stats?ds=2015-03-30&de=${dayOf(Date.now())}&func=top_apps&func=stats&view=provider`;
  const { top_apps: top, stats } = (await at.get(account, asked)).body as PublisherParts;
  expect(new Map(top.map((app) => [app.name, app.is_sample]))).toEqual(
    new Map([
      ["Sample game", 1],
      ["Sample reader", 1],
    ]),
  );
  expect(stats.stats.length).toBeGreaterThan(0);
  expect(stats.stats.filter(({ id, name }) => name === id)).toEqual([]);
  const { providers } = (await at.get(account, "/apps/dash_filters.json")).body as Reply<typeof dashFilters>;
  for (const { id, name } of stats.stats) expect(providers[id]).toBe(name);
  const days = `ds=${dayOf(Date.now() - DAY_MS)}&de=${dayOf(Date.now())}`;
  const elsewhere = [];
  const changes = (await at.get(account, `/apps/performance/changes.json?${days}&by=provider`)).body as Changes;
  elsewhere.push(...changes.movers.map(({ id, name }) => [id, name]));
  for (const { uuid } of samples) {
    const { partners } = (await at.get(account, `/apps/${uuid}/mediation.json?${days}`)).body as AppMediation;
    const sold = (await at.get(account, `/apps/${uuid}/requests.json?${days}&outcome=sold`)).body as RequestList;
    elsewhere.push(...partners.map(({ id, name }) => [id, name]));
    elsewhere.push(...sold.requests.flatMap(({ winner }) => (winner ? [[winner.provider, winner.name]] : [])));
  }
  expect(elsewhere.length).toBeGreaterThan(20);
  expect(elsewhere.filter(([id = "", name]) => providers[id] !== name)).toEqual([]);
});

test("made-up earnings are in nobody's revenue, and of no partner", async () => {
  const own = await createApp(pool, await newAccount(stores, "Paid"), { name: "Own", bundleId: "o", platform: "ios" });
  await keep(stores.clickhouse, {
    events: [impression(new Date().toISOString(), { app_id: own.id, revenue_micros: 7 })],
  });
  expect(await at.apps.revenueTodayOf(account)).toBe(0);
  expect((await at.apps.revenueByPartner(account)).size).toBe(0);
  expect(await at.apps.revenueTodayOf(own.accountId)).toBe(7);
});

test(
  "a deleted sample takes its figures along, and so do both when an own app is added",
  { timeout: 120_000 },
  async () => {
    const [first, second] = samples as [App, App];
    const headers = { "x-account": String(account), "sec-fetch-site": "same-origin" };
    const deleted = await at.server.inject({ url: `/apps/${first.uuid}/delete_app`, headers });
    expect(deleted.statusCode).toBe(200);
    await expect.poll(() => impressionsOf(first), WITHIN).toBe(0);
    expect(await impressionsOf(second)).toBeGreaterThan(100);
    const app = { type: "apps", dev: 1, platform: "android", name: "Own", bundle_id: "com.example.own" };
    expect((await at.send("POST", account, "/apps/add_app", app)).status).toBe(200);
    await expect.poll(() => impressionsOf(second), WITHIN).toBe(0);
    expect(await rowsOf(second)).toMatchObject({ some: 0 });
  },
);

test("one call removes the samples with their figures; then they can be added anew", { timeout: 120_000 }, async () => {
  const newcomer = await newAccount(stores, "Newcomer");
  const remove = () => at.send("POST", newcomer, "/apps/remove_samples", {});
  const none = { status: 409, body: { error: "This account has no sample apps" } };
  expect(await remove()).toMatchObject(none);
  await at.send("POST", newcomer, "/apps/add_app", { type: "apps", demo: "1" });
  const added = await listApps(pool, allAppsOf(newcomer));
  for (const app of added) await expect.poll(() => impressionsOf(app), WITHIN).toBeGreaterThan(100);

  expect(await remove()).toMatchObject({ status: 200, body: { redirect_to: "/apps" } });
  expect(await listApps(pool, allAppsOf(newcomer))).toEqual([]);
  for (const app of added) await expect.poll(() => impressionsOf(app), WITHIN).toBe(0);
  const acts = await pool.query("SELECT action FROM audit_log WHERE account_id = $1 ORDER BY id", [newcomer]);
  expect(acts.rows.map(({ action }) => action as string)).toEqual(["sample_apps_added", "sample_apps_removed"]);
  expect(await remove()).toMatchObject(none);
  expect((await at.send("POST", newcomer, "/apps/add_app", { type: "apps", demo: "1" })).status).toBe(200);
});

test("own apps are not removed with samples, and a demo account keeps its apps", async () => {
  const owner = await newAccount(stores, "Owner of one");
  const own = await createApp(pool, owner, { name: "Own", bundleId: "com.example.kept", platform: "ios" });
  expect((await at.send("POST", owner, "/apps/remove_samples", {})).status).toBe(409);
  const demo = await newAccount(stores, "Demo");
  await pool.query("UPDATE accounts SET demo = true WHERE id = $1", [demo]);
  await createApp(pool, demo, { name: "Demo", bundleId: "com.example.demo", platform: "ios", demo: true });
  expect((await at.send("POST", demo, "/apps/remove_samples", {})).status).toBe(409);
  expect((await listApps(pool, allAppsOf(owner))).map(({ id }) => id)).toEqual([own.id]);
  expect(await listApps(pool, allAppsOf(demo))).toHaveLength(1);
});
