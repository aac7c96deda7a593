import type { AppMediation } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { auction, keep } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "../testing/apps-server.ts";

const stores = await testStores();
const at = await appsServer(stores, { now: () => Date.parse("2024-11-20T06:30:20Z"), role: "owner" });
afterAll(() => at.stop());

test("campaigns have no times and no timeouts, because nobody waits for them", async () => {
  const owner = await newAccount(stores, "Owner");
  const app = await createApp(stores.pg.pool, owner, { name: "Own", bundleId: "com.example.own", platform: "android" });
  const row = auction("2024-11-12T08:00:00Z", {
    app_id: app.id,
    asked: ["campaigns", "aurora"],
    outcomes: ["bid", "no_bid"],
    latencies_ms: [0, 20],
    bids_micros: [9, 0],
  });
  await keep(stores.clickhouse, { auctions: [row], events: [] });
  const { body } = await at.get(owner, `/apps/${app.uuid}/mediation.json?ds=2024-11-12&de=2024-11-12`);
  const { partners } = body as AppMediation;
  expect(partners.find(({ id }) => id === "campaigns")).toMatchObject({
    asked: 1,
    bids: 1,
    timeout_rate: null,
    p50_ms: null,
    p95_ms: null,
  });
  expect(partners.find(({ id }) => id === "aurora")).toMatchObject({ asked: 1, timeout_rate: 0 });
});
