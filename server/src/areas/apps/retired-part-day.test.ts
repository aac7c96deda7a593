import type { AppMediation, AppParts } from "@millrace/contract";
import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { retireRawRows } from "../statistics/index.ts";
import { auction, impression, keep } from "../statistics/testing/some-rows.ts";
import { type App, createApp } from "./store.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";

const stores = await testStores();
const { clickhouse } = stores;
/** 40 days until today are compared with the 40 days until 2024-06-10, 10:30. */
const NOW = Date.parse("2024-07-20T10:30:00Z");
const RANGE = "ds=2024-06-11&de=2024-07-20";
const days = { auctions: 30, events: 30 };

let owner: number;
let app: App;
beforeAll(async () => {
  owner = await newAccount(stores, "Owner");
  app = await createApp(stores.pg.pool, owner, { name: "Tide", bundleId: "com.example.tide", platform: "android" });
  const of = { app_id: app.id, zone: "main" };
  await keep(clickhouse, {
    auctions: ["2024-06-09T09:00:00Z", "2024-06-10T09:00:00Z", "2024-06-10T09:10:00Z"].map((time) => auction(time, of)),
    events: ["2024-06-10T09:00:01Z", "2024-06-10T10:10:00Z"].map((time) => impression(time, of)),
  });
});

async function screens() {
  const at = await appsServer(stores, { now: () => NOW, role: "owner", retentionDays: days });
  const { body: mediation } = await at.get(owner, `/apps/${app.uuid}/mediation.json?${RANGE}`);
  const { body: zones } = await at.get(
    owner,
    `/apps/${app.uuid}/stats.json?${RANGE}&func=stats&view=zone&provider=aurora`,
  );
  const { body: totals } = await at.get(owner, `/apps/${app.uuid}/stats.json?${RANGE}&func=totals`);
  await at.stop();
  const { total, compared_until } = mediation as AppMediation;
  const { stats } = zones as Pick<AppParts, "stats">;
  return {
    mediation: [total.last_revenue, compared_until],
    statistics: [(totals as AppParts).totals.last_revenue, (totals as AppParts).totals.compared_until],
    zones: [stats.stats.map(({ id, last_requests }) => [id, last_requests]), stats.total.last_requests],
  };
}

let before: Awaited<ReturnType<typeof screens>>;
let after: Awaited<ReturnType<typeof screens>>;
beforeAll(async () => {
  before = await screens();
  // August: June is over for more than 30 days.
  const later = Date.parse("2024-08-02T00:00:00Z");
  await retireRawRows(clickhouse, later, { days, quietMs: later - Date.now() - 5000 });
  after = await screens();
});

test("a scorecard's compared revenue is the same after raw rows are deleted, and that of the statistics page", () => {
  expect(before.mediation).toEqual(before.statistics);
  expect(after.mediation).toEqual(before.mediation);
});

test("the compared requests of zones still add up to the total's after raw rows are deleted", () => {
  expect(before.zones).toEqual([[["main", 3]], 3]);
  expect(after.zones).toEqual(before.zones);
});
