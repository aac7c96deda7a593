import { beforeAll, expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { createApp, findApp, listApps, recordSdkSeen, registerZone, zoneNames } from "./store.ts";
import { newAccount } from "./testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let account: number;
beforeAll(async () => {
  account = await newAccount(stores, "Owner");
});

const newApp = () => createApp(pool, account, { name: "Tide 100%", bundleId: "com.example.tide", platform: "android" });

test("an app is found by its owner alone, and by what its name or bundle holds", async () => {
  const app = await newApp();
  expect(await findApp(pool, account, app.uuid)).toEqual(app);
  expect(await findApp(pool, account + 1, app.uuid)).toBeUndefined();
  expect(await listApps(pool, account, "TIDE")).toContainEqual(app);
  expect(await listApps(pool, account, "0%")).toContainEqual(app);
  expect(await listApps(pool, account, "_")).toEqual([]);
});

test("a zone is noted at its first use, and keeps the name that people gave it", async () => {
  const { id } = await newApp();
  expect(await registerZone(pool, id, "level_end", "interstitial")).toBe(true);
  await pool.query("UPDATE zones SET name = 'Level end' WHERE app_id = $1", [id]);
  expect(await registerZone(pool, id, "level_end", "banner")).toBe(false);
  expect(await zoneNames(pool, id)).toEqual(new Map([["level_end", "Level end"]]));
});

test("the SDK's version is noted when it is new, and its last start at most once an hour", async () => {
  const app = await newApp();
  const seen = async () => {
    const found = await findApp(pool, account, app.uuid);
    return [found?.sdkVersion, found?.sdkSeenAt?.toISOString()];
  };
  await recordSdkSeen(pool, app.id, "1.2.0", new Date("2026-11-19T10:00:00Z"));
  await recordSdkSeen(pool, app.id, "1.2.0", new Date("2026-11-19T10:59:00Z"));
  expect(await seen()).toEqual(["1.2.0", "2026-11-19T10:00:00.000Z"]);
  await recordSdkSeen(pool, app.id, "1.10.0", new Date("2026-11-19T10:59:30Z"));
  expect(await seen()).toEqual(["1.10.0", "2026-11-19T10:59:30.000Z"]);
});
