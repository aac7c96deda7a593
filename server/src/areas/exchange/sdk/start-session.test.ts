import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { exchangeForEachTest } from "../testing/exchange-for-each-test.ts";
import { bidsAt } from "../testing/start-bidder.ts";
import { askForAd, DEVICE, type EventRow, fire, post, startSession } from "../testing/start-exchange.ts";

const at = await exchangeForEachTest();

const sdkOf = async () => {
  await at.exchange.exchange.drain();
  const { rows } = await at.stores.pg.pool.query<{ sdk_version: string | null; seen: boolean }>(
    "SELECT sdk_version, sdk_seen_at > now() - interval '1 minute' AS seen FROM apps WHERE id = $1",
    [at.app.id],
  );
  return rows[0];
};

test("an SDK version is registered at its first counted impression, and older ones do not replace it", async () => {
  await at.partner("buyer", bidsAt(1));
  for (const sdk_version of ["1.0.0", "1.2.0", "1.1.9"]) {
    const { ads } = await askForAd(at.exchange, await startSession(at.exchange, at.app, { sdk_version }));
    await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  }
  expect(await sdkOf()).toEqual({ sdk_version: "1.2.0", seen: true });
});

test("sessions alone register no SDK version, but keep a registered one marked as seen", async () => {
  await startSession(at.exchange, at.app, { sdk_version: "99999.0.0" });
  expect(await sdkOf()).toEqual({ sdk_version: null, seen: null });
  await at.stores.pg.pool.query(
    "UPDATE apps SET sdk_version = '1.0.0', sdk_seen_at = now() - interval '29 days' WHERE id = $1",
    [at.app.id],
  );
  await at.restart({ dataDir: at.exchange.dataDir });
  await startSession(at.exchange, at.app, { sdk_version: "99999.0.0" });
  expect(await sdkOf()).toEqual({ sdk_version: "1.0.0", seen: true });
});

test("an installation's first day is recorded with its session and ad events, and defines its cohort", async () => {
  await at.partner("buyer", bidsAt(2));
  const firstDay = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const session = await startSession(at.exchange, at.app, { first_day: firstDay });
  const { ads } = await askForAd(at.exchange, session);
  await fire(at.exchange, ads[0]?.beacons.impression ?? "");
  await fire(at.exchange, ads[0]?.beacons.click ?? "");
  expect(await post(at.exchange, "/sdk/v1/ping", { session, seq: 1, seconds: 30 })).toMatchObject({ statusCode: 200 });
  const events = await at.exchange.rows<EventRow>("events");
  expect(Object.fromEntries(events.map((row) => [row.kind, row.first_day]))).toEqual({
    session: firstDay,
    impression: firstDay,
    click: firstDay,
    ping: firstDay,
  });
  const cohort = await at.stores.clickhouse.read.query({
    query: `SELECT first_day, age, sum(revenue_micros) AS revenue, uniqCombined64Merge(19)(cohort_daily.devices) AS devices
      FROM cohort_daily WHERE app_id = {app:UInt32} GROUP BY first_day, age`,
    query_params: { app: at.app.id },
    format: "JSONEachRow",
  });
  expect(await cohort.json()).toEqual([{ first_day: firstDay, age: 3, revenue: "1600", devices: "1" }]);
});

test("an impossible first day is ignored, and a child's device keeps its first day without an id", async () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const first_day of [day(3), "2015-03-29", "soon", undefined])
    await startSession(at.exchange, at.app, { first_day });
  await startSession(at.exchange, at.app, { first_day: day(-2), consent: { coppa: 1 } });
  const events = await at.exchange.rows<EventRow>("events");
  expect(events.map(({ first_day }) => first_day)).toEqual([...Array<string>(4).fill("1970-01-01"), day(-2)]);
  const wrong = {
    app: at.app.uuid,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
    first_day: 7,
  };
  expect((await post(at.exchange, "/sdk/v1/init", wrong)).statusCode).toBe(400);
});
