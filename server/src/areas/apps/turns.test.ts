import { afterAll, expect, test } from "vitest";
import { deferred } from "../../platform/journal/deferred.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { appsServer, newAccount } from "./testing/apps-server.ts";
import { createApp } from "./store.ts";

const stores = await testStores();
const server = await appsServer(stores);
afterAll(() => server.stop());
const account = await newAccount(stores, "Busy Studio");
const { uuid } = await createApp(stores.pg.pool, account, {
  name: "Busy",
  bundleId: "com.example.busy",
  platform: "android",
});

const DAYS = "ds=2024-11-18&de=2024-11-19";
const get = (url: string) => () => server.server.inject({ url, headers: { "x-account": String(account) } });

test("a waiting call takes no turn once its browser has left the page", async () => {
  const { turns } = server.statistics;
  const origin = await server.server.listen({ port: 0, host: "127.0.0.1" });
  const { promise, resolve } = deferred();
  const earlier = Array.from({ length: 4 }, () => turns.run(account, () => promise));
  const browser = new AbortController();
  const headers = { "x-account": String(account) };
  const left = fetch(`${origin}/apps.json?${DAYS}`, { headers, signal: browser.signal });
  const stays = fetch(`${origin}/apps.json?${DAYS}`, { headers });
  await expect.poll(() => turns.waiting()).toBe(2);
  browser.abort();
  await expect(left).rejects.toThrow("aborted");
  await expect.poll(() => turns.waiting()).toBe(1);
  resolve();
  await Promise.all(earlier);
  expect((await stays).status).toBe(200);
  expect(turns.waiting()).toBe(0);
});

test.each([
  ["the app list", get(`/apps.json?${DAYS}`)],
  ["the filters", get("/apps/dash_filters.json")],
  ["an app's page", get(`/apps/${uuid}/stats.json?${DAYS}`)],
  ["the publisher's page", get(`/apps/performance/stats?${DAYS}`)],
  ["an app's table as a file", get(`/apps/${uuid}/stats.csv?${DAYS}`)],
  ["today's revenue in the session", () => server.apps.revenueTodayOf(account)],
  ["the revenue by partner in the check of app-ads.txt", () => server.apps.revenueByPartner(account)],
])("%s waits until the account's earlier calls are done", async (_what, call) => {
  const { turns } = server.statistics;
  const { promise, resolve } = deferred();
  const earlier = Array.from({ length: 4 }, () => turns.run(account, () => promise));
  let isDone = false;
  const asked = Promise.resolve(call()).then(() => (isDone = true));
  await expect.poll(() => turns.waiting()).toBe(1);
  expect(isDone).toBe(false);
  resolve();
  await Promise.all([...earlier, asked]);
  expect(turns.waiting()).toBe(0);
});
