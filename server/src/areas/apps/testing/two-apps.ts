import { afterAll } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { auction, click, impression, keep, ping, session } from "../../statistics/testing/some-rows.ts";
import { createApp } from "../index.ts";
import { appsServer, newAccount } from "./apps-server.ts";

/** The requested days: yesterday and today by the server's clock. */
export const DAYS = "ds=2024-11-18&de=2024-11-19";

/** An owner with two apps and their events, and another owner's app. Call it once at the top of the file. */
export async function twoApps() {
  const stores = await testStores();
  const now = Date.parse("2024-11-19T12:00:00Z");
  const at = await appsServer(stores, { now: () => now });
  afterAll(at.stop);
  const { pool } = stores.pg;
  const [owner, other] = [await newAccount(stores, "Owner"), await newAccount(stores, "Other")];
  const tide = await createApp(pool, owner, { name: "Tide Puzzle", bundleId: "com.example.tide", platform: "android" });
  const chess = await createApp(pool, owner, {
    name: "=Chess",
    bundleId: "com.example.chess",
    platform: "ios",
    inDev: true,
  });
  await createApp(pool, other, { name: "Foreign", bundleId: "com.example.foreign", platform: "ios" });
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'main', '=1+1', 'banner')", [tide.id]);
  const mine = { app_id: tide.id };
  await keep(stores.clickhouse, {
    auctions: [
      auction("2024-11-18T10:00:00Z", { ...mine, device: "1" }),
      auction("2024-11-18T11:00:00Z", { ...mine, device: "1", country: "DE", no_ad: "no_bid_above_floor" }),
      auction("2024-11-19T10:00:00Z", { ...mine, device: "2", format: "video", zone: "end" }),
      auction("2024-11-19T10:10:00Z", { ...mine, device: "2", country: "XX", asked: ["borealis"] }),
      // The previous two days.
      auction("2024-11-16T00:00:00Z", { ...mine, device: "3" }),
      auction("2024-11-15T23:59:59Z", { ...mine, device: "3" }),
      auction("2024-11-19T10:00:00Z", { app_id: chess.id, device: "2" }),
    ],
    events: [
      impression("2024-11-18T10:00:01Z", { ...mine, device: "1", revenue_micros: 1500 }),
      impression("2024-11-19T10:00:01Z", {
        ...mine,
        device: "2",
        format: "video",
        zone: "end",
        provider: "borealis",
        sdk_version: "1.1.0",
        revenue_micros: 4001,
      }),
      impression("2024-11-19T10:00:02Z", { ...mine, device: "2", invalid: "replayed", revenue_micros: 9999 }),
      impression("2024-11-17T10:00:01Z", { ...mine, device: "3", revenue_micros: 700 }),
      click("2024-11-19T10:00:05Z", { ...mine, device: "2", format: "video", zone: "end", provider: "borealis" }),
      session("2024-11-18T09:59:00Z", { ...mine, device: "1" }),
      session("2024-11-19T09:59:00Z", { ...mine, device: "2", sdk_version: "1.1.0" }),
      session("2024-11-19T11:59:00Z", { ...mine, device: "4", country: "DE" }),
      ping("2024-11-19T10:01:00Z", 93, { ...mine, device: "2" }),
    ],
  });

  const ask = async (query: string) => (await at.get(owner, `/apps/${tide.uuid}/stats.json?${DAYS}${query}`)).body;
  return { stores, at, owner, other, tide, chess, ask };
}
