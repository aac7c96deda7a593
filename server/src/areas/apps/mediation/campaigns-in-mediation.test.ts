import type { AppMediation } from "@millrace/contract";
import { afterAll, expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import type { AuctionRow } from "../../statistics/index.ts";
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

test("the times and timeouts of all partners together are of those that are waited for", async () => {
  const owner = await newAccount(stores, "Patient");
  const app = await createApp(stores.pg.pool, owner, { name: "Own", bundleId: "com.example.own", platform: "android" });
  // Campaigns take no time to speak of, and take part in more auctions than the partner.
  const asked = (of: string[], outcomes: AuctionRow["outcomes"], latencies: number[]) =>
    auction("2024-11-12T08:00:00Z", {
      app_id: app.id,
      asked: of,
      outcomes,
      latencies_ms: latencies,
      bids_micros: of.map(() => 0),
    });
  const auctions = [
    asked(["campaigns", "aurora"], ["no_bid", "timeout"], [0.2, 100]),
    asked(["campaigns", "aurora"], ["no_bid", "no_bid"], [0.2, 40]),
    asked(["campaigns"], ["no_bid"], [0.2]),
    asked(["campaigns"], ["no_bid"], [0.2]),
  ];
  await keep(stores.clickhouse, { auctions, events: [] });
  const { body } = await at.get(owner, `/apps/${app.uuid}/mediation.json?ds=2024-11-12&de=2024-11-12`);
  const { partners, total } = body as AppMediation;
  const aurora = partners.find(({ id }) => id === "aurora");
  expect(total).toMatchObject({ asked: 6, timeouts: 1, timeout_rate: 50 });
  expect([total.p50_ms, total.p95_ms]).toEqual([aurora?.p50_ms, aurora?.p95_ms]);
  expect(total.p50_ms).toBeGreaterThan(39);
});

test("where only campaigns took part, all together have no times and no timeouts", async () => {
  const owner = await newAccount(stores, "Alone");
  const app = await createApp(stores.pg.pool, owner, { name: "Own", bundleId: "com.example.own", platform: "android" });
  const row = auction("2024-11-12T08:00:00Z", {
    app_id: app.id,
    asked: ["campaigns"],
    outcomes: ["bid"],
    latencies_ms: [0.2],
    bids_micros: [9],
  });
  await keep(stores.clickhouse, { auctions: [row], events: [] });
  const { body } = await at.get(owner, `/apps/${app.uuid}/mediation.json?ds=2024-11-12&de=2024-11-12`);
  expect((body as AppMediation).total).toMatchObject({ asked: 1, timeout_rate: null, p50_ms: null, p95_ms: null });
});
