import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../server/src/areas/apps/index.ts";
import { testPostgres } from "../../server/src/platform/testing/stores.ts";
import { seedWebhook } from "./seed-webhook.ts";

const { pool } = await testPostgres();
let app: { id: number; uuid: string };

beforeAll(async () => {
  const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  app = await createApp(pool, rows[0]?.id ?? 0, { name: "A", bundleId: "com.example.a", platform: "android" });
});

const seed = (labUrl: string) => seedWebhook(pool, new Map([["lantern-runner-android", app.id]]), labUrl);
const urls = async () =>
  (await pool.query<{ url: string }>("SELECT url FROM revenue_webhooks")).rows.map(({ url }) => url);

test("an app's webhook follows the lab's address, unless its owner has chosen another or none", async () => {
  await seed("http://127.0.0.1:4100");
  await seed("http://127.0.0.1:4300");
  expect(await urls()).toEqual(["http://127.0.0.1:4300/revenue"]);
  await pool.query("UPDATE revenue_webhooks SET url = 'https://game.example/revenue'");
  await seed("http://127.0.0.1:4100");
  expect(await urls()).toEqual(["https://game.example/revenue"]);
  await pool.query("DELETE FROM revenue_webhooks");
  await pool.query("INSERT INTO audit_log (at, action, subject) VALUES (now(), 'app_webhook_removed', $1)", [app.uuid]);
  await seed("http://127.0.0.1:4100");
  expect(await urls()).toEqual([]);
});
