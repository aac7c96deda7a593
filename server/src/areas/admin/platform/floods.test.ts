import { dayOf } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../platform/testing/stores.ts";
import { newPerson, testPlatform } from "../../../testing/test-platform.ts";
import { appsServer } from "../../apps/testing/apps-server.ts";
import { createApp } from "../../apps/index.ts";
import { click, droppedEvents, keep } from "../../statistics/testing/some-rows.ts";
import { readPlatform } from "./read-platform.ts";

const stores = await testStores();
const { pool } = await testPlatform(stores);
/** The store forgets the counts of floods after a month. */
const DAY = dayOf(Date.now());
const NOW = Date.parse(`${DAY}T12:30:00Z`);

test("the operator's page counts the same events not counted as the publisher's page, also in a flood", async () => {
  const owner = await newPerson(pool, "flooded@example.com");
  const app = await createApp(pool, owner.accountId, { name: "Flooded", bundleId: "test.flood", platform: "android" });
  const of = { app_id: app.id };
  const time = `${DAY}T12:00:00Z`;
  // As the exchange stores a flood: the first five as rows, the others as a count.
  await keep(stores.clickhouse, {
    events: Array.from({ length: 5 }, () => click(time, { ...of, invalid: "device_flood" })),
    dropped_events: [droppedEvents(time, { ...of, events: 100_000 })],
  });
  const at = await appsServer(stores, { now: () => NOW });
  const { body } = await at.get(owner.accountId, `/apps/${app.uuid}/stats.json?ds=${DAY}&de=${DAY}&func=not_counted`);
  const { notCounted } = await at.statistics.firstCounts(app.id);
  await at.stop();
  const reasons = (body as { not_counted: { impressions: number; clicks: number }[] }).not_counted;
  const publisher = reasons.reduce((sum, { impressions, clicks }) => sum + impressions + clicks, 0);
  const { figures } = await readPlatform({
    pool,
    clickhouse: stores.clickhouse.read,
    clock: { now: () => NOW },
    look: async () => undefined,
    backlog: () => ({ segments: 0, bytes: 0 }),
  });
  expect(publisher).toBe(100_005);
  expect(figures.invalid.today).toBe(publisher);
  // The app's first steps, while it has no counted impression.
  expect(notCounted).toBe(publisher);
});
