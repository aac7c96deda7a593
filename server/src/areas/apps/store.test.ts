import { beforeAll, expect, test } from "vitest";
import { allAppsOf } from "../../platform/http/caller.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { createApp, everyAppId, findApp, listApps, zoneNames } from "./store.ts";
import { newAccount } from "./testing/apps-server.ts";

const stores = await testStores();
const { pool } = stores.pg;
let account: number;
beforeAll(async () => {
  account = await newAccount(stores, "Owner");
});

const newApp = () => createApp(pool, account, { name: "Tide 100%", bundleId: "com.example.tide", platform: "android" });

test("an app is found only by its account, by a part of its name or bundle", async () => {
  const app = await newApp();
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toEqual(app);
  expect(await findApp(pool, allAppsOf(account + 1), app.uuid)).toBeUndefined();
  expect(await listApps(pool, allAppsOf(account), "TIDE")).toContainEqual(app);
  expect(await listApps(pool, allAppsOf(account), "0%")).toContainEqual(app);
  expect(await listApps(pool, allAppsOf(account), "_")).toEqual([]);
});

test("zones are listed with their names", async () => {
  const { id } = await newApp();
  await pool.query("INSERT INTO zones (app_id, zone, name, format) VALUES ($1, 'end', 'Level end', 'video')", [id]);
  expect(await zoneNames(pool, [id])).toEqual(new Map([["end", "Level end"]]));
});

test("a deleted app is not listed but keeps its earnings", async () => {
  const app = await newApp();
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [app.id]);
  expect(await findApp(pool, allAppsOf(account), app.uuid)).toBeUndefined();
  expect((await listApps(pool, allAppsOf(account))).map(({ id }) => id)).not.toContain(app.id);
  expect(await everyAppId(pool, account)).toContain(app.id);
});
