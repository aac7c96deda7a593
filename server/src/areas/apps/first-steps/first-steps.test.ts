import type { FirstSteps } from "@millrace/contract";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import {
  appPartners,
  connectDemoPartners,
  setPartnerKeys,
  type SiteState,
  upsertPartner,
} from "../../demand-partners/index.ts";
import { auction, impression, keep, session } from "../../statistics/testing/some-rows.ts";
import { type App, createApp } from "../store.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let site: SiteState = "no_site";
const options = {
  role: "owner" as const,
  partnersOf: (accountId: number, appId: number) => appPartners({ pool, sealer: testSealer }, accountId, appId),
  connectDemoPartners: (client: PoolClient, accountId: number, appId: number) =>
    connectDemoPartners(client, testSealer, accountId, appId),
  siteState: async () => site,
};
let at: Awaited<ReturnType<typeof appsServer>>;
let demo: Awaited<ReturnType<typeof appsServer>>;
let owner: number;
let app: App;

beforeAll(async () => {
  await upsertPartner(pool, somePartner({ id: "aurora", media_types: ["banner"] }));
  await upsertPartner(pool, somePartner({ id: "lab-one", media_types: ["banner", "video"], demo: true }));
  await upsertPartner(pool, somePartner({ id: "lab-off", media_types: ["banner"], demo: true, active: false }));
  owner = await newAccount(stores, "Owner");
  app = await newApp("com.example.first");
  at = await appsServer(stores, options);
  demo = await appsServer(stores, { ...options, demo: true });
});
beforeEach(() => {
  site = "no_site";
});
afterAll(async () => {
  await Promise.all([at.stop(), demo.stop()]);
});

const newApp = (bundleId: string, more: Partial<Parameters<typeof createApp>[2]> = {}) =>
  createApp(pool, owner, { name: "First", bundleId, platform: "android", inDev: true, ...more });

async function stepsNow(of = app, from = at): Promise<FirstSteps> {
  const { status, body } = await from.get(owner, `/apps/${of.uuid}/first_steps.json`);
  expect(status).toBe(200);
  return body as FirstSteps;
}
const doneIn = ({ steps }: FirstSteps) => steps.flatMap(({ step, state }) => (state === "done" ? [step] : []));

test("each step ticks by its event: keys, a session, a request, an impression, and the site's file", async () => {
  expect(doneIn(await stepsNow())).toEqual(["app"]);
  const place = { app_id: app.id, partner_id: "aurora", format: "banner" as const };
  await setPartnerKeys(pool, testSealer, owner, { ...place, keys: { placement: "1" } });
  expect(doneIn(await stepsNow())).toEqual(["app", "demand"]);

  const ids = { app_id: app.id };
  await keep(stores.clickhouse, { events: [session("2026-11-19T10:00:00Z", ids)] });
  // Answers about the store are shared for a moment.
  await expect.poll(async () => doneIn(await stepsNow())).toEqual(["app", "demand", "snippet"]);
  await keep(stores.clickhouse, {
    auctions: [auction("2026-11-20T10:00:00Z", ids)],
    events: [impression("2026-11-20T10:00:01Z", { ...ids, invalid: "crawler" })],
  });
  await expect
    .poll(async () => (await stepsNow()).steps.map(({ state, count, since }) => [state, count, since]), {
      timeout: 5000,
    })
    .toEqual([
      ["done", null, null],
      ["done", 1, null],
      ["done", 1, "2026-11-19"],
      ["done", 1, "2026-11-20"],
      ["waiting", 0, null],
      ["todo", null, null],
    ]);
  await expect.poll(async () => (await stepsNow()).not_counted).toBe(1);
  expect(await stepsNow()).toMatchObject({
    moderation: "live",
    is_sample: false,
    partners_available: 2,
    has_site: false,
  });

  site = "found";
  await keep(stores.clickhouse, { events: [impression("2026-11-21T10:00:01Z", ids)] });
  await expect
    .poll(async () => doneIn(await stepsNow()))
    .toEqual(["app", "demand", "snippet", "request", "impression", "app_ads"]);
  expect(await stepsNow()).toMatchObject({ not_counted: 0, has_site: true });
});

test("an app in moderation waits, and a banned one fails", async () => {
  const [waits, banned] = [
    await newApp("com.example.waits", { moderation: "check" }),
    await newApp("com.example.banned", { moderation: "banned" }),
  ];
  expect((await stepsNow(waits)).steps[0]).toMatchObject({ step: "app", state: "waiting" });
  expect(await stepsNow(banned)).toMatchObject({
    moderation: "banned",
    steps: [{ step: "app", state: "failed" }, {}, {}, {}, {}, {}],
  });
});

test("in the demo, an app is connected to all active demo partners at once, and its own keys stay", async () => {
  const fresh = await newApp("com.example.fresh");
  expect(await stepsNow(fresh, demo)).toMatchObject({ has_demo_partners: true });
  const place = { app_id: fresh.id, partner_id: "lab-one", format: "banner" as const };
  await setPartnerKeys(pool, testSealer, owner, { ...place, keys: { seat: "mine" }, enabled: false });
  const path = `/apps/${fresh.uuid}/demo_partners`;
  const { status, body } = await demo.send("POST", owner, path, {});
  expect([status, doneIn(body as FirstSteps)]).toEqual([200, ["app", "demand"]]);
  expect(await options.partnersOf(owner, fresh.id)).toMatchObject([
    { id: "aurora", keyed: [] },
    { id: "lab-off", keyed: [] },
    { id: "lab-one", keyed: ["banner", "video"], enabled: true },
  ]);
  const { rows } = await pool.query("SELECT enabled FROM partner_keys WHERE app_id = $1 ORDER BY format", [fresh.id]);
  expect(rows).toEqual([{ enabled: false }, { enabled: true }]);
  const acts = await pool.query("SELECT action, details FROM audit_log WHERE subject = $1", [fresh.uuid]);
  expect(acts.rows).toEqual([{ action: "demo_partners_connected", details: { partners: ["lab-one"] } }]);
});

test("outside the demo there are no demo partners to connect to", async () => {
  expect(await stepsNow()).toMatchObject({ has_demo_partners: false });
  const { status, body } = await at.send("POST", owner, `/apps/${app.uuid}/demo_partners`, {});
  expect([status, body]).toEqual([422, { error: "This platform has no demo partners" }]);
});

test("a sample app says that it is one, and another account's app is not found", async () => {
  expect(await stepsNow(await newApp("com.example.sample", { demo: true }))).toMatchObject({ is_sample: true });
  const other = await newAccount(stores, "Other");
  expect((await at.get(other, `/apps/${app.uuid}/first_steps.json`)).status).toBe(404);
});
