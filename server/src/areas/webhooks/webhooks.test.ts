import { VERIFY_DELIVERY } from "@millrace/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { click, impression, keep } from "../statistics/testing/some-rows.ts";
import { type Call, documentedVerifier, startReceiver, startWebhooks, storedAt } from "./testing/webhooks-world.ts";

const stores = await testStores();
const { pool } = stores.pg;
const SOON = { timeout: 30_000, interval: 50 };
const DAY_MS = 86_400_000;
const impressionsOf = (calls: readonly Call[]) => calls.flatMap(({ delivery }) => delivery.impressions);
/** The place from which a webhook begins is earlier than the rows of a test, which are stored in the past. */
const beginAt = (ms: number) => pool.query("UPDATE revenue_webhooks SET place = $1, next_at = now()", [`${ms}~0~`]);

test("every counted impression is posted once, in signed pages, and their sum is the revenue in the statistics", async () => {
  const receiver = await startReceiver();
  const { app, addApp, at, owner, save, state, keysUrl } = await startWebhooks(stores);
  const other = await addApp();
  const day = new Date().toISOString().slice(0, 10);
  const base = Date.now() - 30_000;
  const mine = { app_id: app.id };
  const rows = Array.from({ length: 1203 }, (_, nth) =>
    // Many were stored together, and counted at one moment.
    storedAt(base + (nth % 7), `${day}T00:00:0${nth % 10}Z`, { ...mine, revenue_micros: 1000 + nth, country: "DE" }),
  );
  await keep(stores.clickhouse, {
    events: [
      ...rows,
      storedAt(base, `${day}T00:00:01Z`, {
        ...mine,
        provider: "line-items",
        expected_micros: 2_500_000,
        revenue_micros: 0,
      }),
      storedAt(base, `${day}T00:00:01Z`, { ...mine, invalid: "replayed", revenue_micros: 9_999 }),
      click(`${day}T00:00:01Z`, mine),
      storedAt(base, `${day}T00:00:01Z`, { app_id: other.id }),
      // From before there was a webhook.
      storedAt(base - 120_000, `${day}T00:00:00Z`, { ...mine, revenue_micros: 0 }),
    ],
  });
  expect(await save(`${receiver.origin}/revenue?game=7`)).toMatchObject({ status: 200 });
  await expect.poll(() => impressionsOf(receiver.calls).length, SOON).toBe(1204);
  expect(receiver.calls.map(({ delivery }) => delivery.impressions.length)).toEqual([500, 500, 204]);
  const told = impressionsOf(receiver.calls);
  expect(new Set(told.map(({ event_id: id }) => id)).size).toBe(1204);
  expect(told.find(({ precision }) => precision === "estimated")).toMatchObject({
    network: "line-items",
    revenue_micros: 2500,
  });
  const exact = told.filter(({ precision }) => precision === "exact").reduce((sum, one) => sum + one.revenue_micros, 0);
  const { body } = await at.get(owner, `/apps/${app.uuid}/stats.json?func=totals&ds=${day}&de=${day}`);
  expect(body).toMatchObject({ totals: { revenue: exact } });
  expect(exact).toBe(rows.reduce((sum, row) => sum + row.revenue_micros, 0));
  const row = rows[500];
  expect(told.find(({ event_id: id }) => id === row?.event_id)).toEqual({
    event_id: row?.event_id,
    auction: row?.auction_id,
    time: `${day}T00:00:00.000Z`,
    zone: "main",
    format: "banner",
    country: "DE",
    network: "aurora",
    precision: "exact",
    revenue_micros: 1500,
    currency: "USD",
  });
  const { isGenuine, code } = await documentedVerifier();
  // The settings show the same.
  expect(code).toBe(VERIFY_DELIVERY);
  for (const { body: sent, headers, delivery } of receiver.calls) {
    expect(headers["millrace-delivery-id"]).toBe(delivery.delivery_id);
    expect(headers["content-type"]).toBe("application/json");
    expect(await isGenuine(sent, headers, keysUrl)).toBe(true);
    const changed = Buffer.from(sent.toString().replace('"revenue_micros":', '"revenue_micros":1'));
    expect(await isGenuine(changed, headers, keysUrl)).toBe(false);
    expect(await isGenuine(sent, { ...headers, "millrace-key-id": "1" }, keysUrl)).toBe(false);
    expect(await isGenuine(sent, { ...headers, "millrace-signature": "" }, keysUrl)).toBe(false);
  }
  await expect
    .poll(() => state(), SOON)
    .toMatchObject({ delivered: 1204, waiting: 0, waiting_since: null, last_failure: null });
});

test("an impression that is stored late is posted too, after those that were counted later", async () => {
  const receiver = await startReceiver();
  const { app, save, state } = await startWebhooks(stores);
  await save(receiver.origin);
  await keep(stores.clickhouse, { events: [impression(new Date().toISOString(), { app_id: app.id })] });
  expect(await state()).toMatchObject({ waiting: 1, waiting_since: expect.stringMatching(/Z$/) });
  await expect.poll(() => receiver.calls.length, SOON).toBe(1);
  const late = impression(new Date(Date.now() - 40 * DAY_MS).toISOString(), { app_id: app.id });
  await keep(stores.clickhouse, { events: [late] });
  await expect.poll(() => receiver.calls.length, SOON).toBe(2);
  expect(receiver.calls[1]?.delivery.impressions.map(({ event_id: id }) => id)).toEqual([late.event_id]);
});

test("a delivery without an answer comes again with its id and content, also after a restart and with more waiting behind it", async () => {
  const receiver = await startReceiver();
  receiver.isSilent = true;
  const { app, save, restart, clock, state } = await startWebhooks(stores);
  const base = Date.now() - 40_000;
  const some = (nth: number) => storedAt(base + nth, new Date(base).toISOString(), { app_id: app.id });
  await keep(stores.clickhouse, { events: [some(1), some(2)] });
  await save(receiver.origin);
  await expect.poll(() => receiver.calls.length, SOON).toBe(1);
  await restart();
  await keep(stores.clickhouse, { events: [some(3)] });
  receiver.isSilent = false;
  receiver.status = 500;
  // Nobody has released what the first one was sending.
  clock.offsetMs = 130_000;
  await expect.poll(() => receiver.calls.length, SOON).toBe(2);
  await expect.poll(() => state(), SOON).toMatchObject({ delivered: 0, waiting: 3, last_failure: { outcome: 500 } });
  await restart();
  receiver.status = 200;
  clock.offsetMs = 200_000;
  await expect.poll(() => receiver.calls.length, SOON).toBe(4);
  const [first, second, third, fourth] = receiver.calls;
  expect([second?.body, third?.body]).toEqual([first?.body, first?.body]);
  expect(second?.headers["millrace-delivery-id"]).toBe(first?.headers["millrace-delivery-id"]);
  expect(fourth?.delivery.impressions).toHaveLength(1);
  expect(fourth?.delivery.delivery_id).not.toBe(first?.delivery.delivery_id);
  await expect.poll(() => state(), SOON).toMatchObject({ delivered: 3, waiting: 0, given_up: 0 });
});

test(
  "whatever a server answers, it gets every impression, and no delivery with another content",
  { timeout: 120_000 },
  async () => {
    const receiver = await startReceiver();
    const { addApp, save, state } = await startWebhooks(stores);
    const failures = fc.array(fc.constantFrom(204, 302, 404, 500, 503), { minLength: 1, maxLength: 2 });
    const amounts = fc.integer({ min: 1, max: 700 });
    await fc.assert(
      fc.asyncProperty(failures, amounts, async (answers, amount) => {
        const { id, uuid } = await addApp();
        const storedMs = Date.now() - 20_000;
        const rows = Array.from({ length: amount }, (_, nth) =>
          storedAt(storedMs + (nth % 3), new Date(storedMs).toISOString(), { app_id: id }),
        );
        await keep(stores.clickhouse, { events: rows });
        receiver.calls.length = 0;
        for (const [nth, status] of [...answers, 200].entries()) {
          receiver.status = status;
          const before = receiver.calls.length;
          // Another address is tried at once.
          await save(`${receiver.origin}/?${nth}`, uuid);
          if (status === 200) break;
          await expect.poll(() => receiver.calls.length, SOON).toBeGreaterThan(before);
          await expect
            .poll(() => state(uuid), SOON)
            .toMatchObject(status === 204 ? { waiting: 0 } : { last_failure: { outcome: status } });
          if (status === 204) break;
        }
        await expect.poll(() => state(uuid), SOON).toMatchObject({ delivered: amount, waiting: 0, given_up: 0 });
        const byId = new Map<string, Buffer>();
        for (const { delivery, body } of receiver.calls) {
          expect(byId.get(delivery.delivery_id) ?? body).toEqual(body);
          byId.set(delivery.delivery_id, body);
        }
        expect(byId.size).toBe(Math.ceil(amount / 500));
        const told = new Set(impressionsOf(receiver.calls).map(({ event_id: event }) => event));
        expect(told).toEqual(new Set(rows.map(({ event_id: event }) => event)));
      }),
      { numRuns: 4 },
    );
  },
);

test("what could not be posted for three days is given up and counted, and what is younger still arrives", async () => {
  const receiver = await startReceiver();
  receiver.status = 503;
  const { app, save, clock, state } = await startWebhooks(stores);
  const now = Date.now();
  const some = (ms: number) => storedAt(ms, new Date(now).toISOString(), { app_id: app.id });
  const young = some(now - 20_000);
  await keep(stores.clickhouse, { events: [...Array.from({ length: 700 }, () => some(now - DAY_MS)), young] });
  await save(receiver.origin);
  await beginAt(now - 2 * DAY_MS);
  await expect.poll(() => state(), SOON).toMatchObject({ waiting: 701, last_failure: { outcome: 503 } });
  clock.offsetMs = 2 * DAY_MS + 3_600_000;
  await expect.poll(() => state(), SOON).toMatchObject({ given_up: 700, waiting: 1 });
  receiver.status = 200;
  clock.offsetMs += 3_700_000;
  await expect.poll(() => state(), SOON).toMatchObject({ delivered: 1, given_up: 700, waiting: 0 });
  expect(receiver.calls.at(-1)?.delivery.impressions[0]?.event_id).toBe(young.event_id);
});

test("a deleted app's webhook goes with it", async () => {
  const receiver = await startReceiver();
  const { app, save } = await startWebhooks(stores);
  await save(receiver.origin);
  await keep(stores.clickhouse, {
    events: [storedAt(Date.now() - 4000, new Date().toISOString(), { app_id: app.id })],
  });
  await pool.query("UPDATE apps SET deleted_at = now() WHERE id = $1", [app.id]);
  await expect.poll(async () => (await pool.query("SELECT FROM revenue_webhooks")).rowCount, SOON).toBe(0);
  expect(receiver.calls).toEqual([]);
});
