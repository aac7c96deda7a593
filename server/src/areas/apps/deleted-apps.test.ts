import type { Changes, PublisherParts, Reply, dashFilters, listApps } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { impression, keep } from "../statistics/testing/some-rows.ts";
import { createApp } from "./index.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";
import { DAYS, twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, tide, chess } = await twoApps();
const { pool } = stores.pg;

const remove = (id: number) => pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [id]);
const FUNCS = ["totals", "graph_data", "top_apps", "top_formats", "ltv", "online_revenue", "stats"];
const partsOf = async (query = "", account = owner) => {
  const funcs = FUNCS.map((func) => `&func=${func}`).join("");
  return (await at.get(account, `/apps/performance/stats?${DAYS}${funcs}${query}`)).body as PublisherParts;
};
const changesOf = async () => (await at.get(owner, `/apps/performance/changes.json?${DAYS}&by=app`)).body as Changes;
const csvAs = async (headers: Record<string, string>) =>
  (await at.server.inject({ url: `/apps/performance/stats.csv?${DAYS}&view=date`, headers })).body;
const csv = () => csvAs({ "x-account": String(owner) });

let before: { parts: PublisherParts; changes: Changes; csv: string };
beforeAll(async () => {
  before = { parts: await partsOf(), changes: await changesOf(), csv: await csv() };
  await remove(tide.id);
});

test("a deleted app stays in every figure of all apps, and is marked", async () => {
  const mark = (row: { app_id: number }) => (row.app_id === tide.id ? { ...row, deleted: true } : row);
  const { top_apps: top, ltv, online_revenue: feed, ...others } = before.parts;
  expect(others.totals.revenue).toBe(5501);
  expect(await partsOf()).toEqual({
    ...others,
    top_apps: top.map(mark),
    ltv: { ...ltv, by_app: ltv.by_app.map(mark) },
    online_revenue: feed.map(mark),
  });
  expect(await csv()).toBe(before.csv);
  const changes = await changesOf();
  expect(changes.difference).toBe(before.changes.difference);
  expect(changes.movers.map(({ name, uuid }) => [name, uuid])).toEqual([["Tide Puzzle (deleted)", undefined]]);
});

test("the header's revenue of today is that of all apps, and the list says what is missing in its total", async () => {
  const { totals } = (await at.get(owner, "/apps/performance/stats?ds=2024-11-19&de=2024-11-19&func=totals"))
    .body as PublisherParts;
  expect(await at.apps.revenueTodayOf(owner)).toBe(totals.revenue);
  const listOf = async (query = "") =>
    (await at.get(owner, `/apps.json?${DAYS}${query}`)).body as Reply<typeof listApps>;
  const list = await listOf();
  expect([list.apps.map(({ name }) => name), list.totals.revenue, list.deleted_revenue]).toEqual([["=Chess"], 0, 5501]);
  expect(await listOf("&country=DE")).not.toHaveProperty("deleted_revenue");
  expect(await listOf("&search=chess")).not.toHaveProperty("deleted_revenue");
  expect(await listOf(`&app_id=${chess.id}`)).not.toHaveProperty("deleted_revenue");
});

test("a developer, who sees single apps only, is not told what deleted ones earned", async () => {
  const developers = await appsServer(stores, { role: "SDEV" });
  const { body } = await developers.get(owner, `/apps.json?${DAYS}`);
  await developers.stop();
  expect(body).toMatchObject({ apps: [{ name: "=Chess" }] });
  expect(body).not.toHaveProperty("deleted_revenue");
});

test("filters do not offer a deleted app, but its countries and days, and an address may name it", async () => {
  const { body } = await at.get(owner, "/apps/dash_filters.json");
  const { apps, countries, first_day: first } = body as Reply<typeof dashFilters>;
  expect([apps, Object.keys(countries), first]).toEqual([
    { [chess.id]: "=Chess" },
    expect.arrayContaining(["DE", "US"]),
    "2024-11-15",
  ]);
  expect((await partsOf(`&app_id=${tide.id}`)).totals.revenue).toBe(5501);
  expect((await partsOf(`&app_id=${chess.id}`)).totals.revenue).toBe(0);
});

test("a member of chosen apps sees the figures of a deleted one among them, and of no other", async () => {
  const as = (app: number) => csvAs({ "x-account": String(owner), "x-apps": String(app) });
  expect(await as(tide.id)).toContain("0.0055");
  expect(await as(chess.id)).not.toContain("0.0055");
});

test("a deleted sample app is in no figure", async () => {
  const account = await newAccount(stores, "Newcomer");
  const sample = { name: "Sample", bundleId: "com.example.sample", platform: "ios", demo: true } as const;
  const { id } = await createApp(pool, account, sample);
  await keep(stores.clickhouse, {
    events: [impression("2024-11-19T10:00:00Z", { app_id: id, revenue_micros: 5 })],
  });
  expect((await partsOf("", account)).totals.revenue).toBe(5);
  await remove(id);
  expect(await partsOf("", account)).toMatchObject({ totals: { revenue: 0 }, top_apps: [] });
});
