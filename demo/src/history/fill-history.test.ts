import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { CATALOGUE } from "../catalogue.ts";
import { fillHistory } from "./fill-history.ts";
import { DAY_MS } from "./plan-days.ts";

const [stores, other] = [await testStores(), await testStores()];
const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 30 * DAY_MS + 13.3 * 3_600_000 + 123;
const appIds = new Map(CATALOGUE.map(({ slug }, index) => [slug, index + 1]));
const DAYS = 6;

type Store = typeof stores;
const fill = (to: Store, options: Partial<Parameters<typeof fillHistory>[0]> = {}) =>
  fillHistory({
    write: to.clickhouse.write,
    seed: "test",
    untilMs,
    days: DAYS,
    appIds,
    revenueSharePpm: 800_000,
    rest: 0,
    ...options,
  });

async function ask<T extends object>(of: Store, query: string): Promise<T[]> {
  const found = await of.clickhouse.read.query({ query, format: "JSONEachRow" });
  return found.json<T>();
}
async function one(of: Store, query: string): Promise<Record<string, number>> {
  const [row] = await ask<Record<string, string | number>>(of, query);
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

/** Every row there is, in one number each. */
const fingerprint = (of: Store) =>
  ask(
    of,
    `SELECT (SELECT (count(), sum(cityHash64(*))) FROM auctions) AS auctions, (SELECT (count(), sum(cityHash64(*))) FROM events) AS events,
      (SELECT sum(sent) FROM sent_daily) AS sent, (SELECT (sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros)) FROM stats_daily) AS daily`,
  );

test("the same seed writes the same rows, cut off or not, and never twice", async () => {
  const progress: number[] = [];
  await fill(stores, { onProgress: (share) => progress.push(share) });
  expect(progress).toEqual([5 / 6, 1]);
  const whole = await fingerprint(stores);

  // Cut off in the middle of its first part and again later, then carried on as the next start would.
  for (const afterMs of [30, 250, 400]) {
    const cut = new AbortController();
    const filling = fill(other, { signal: cut.signal, rest: 0.5 });
    await pause(afterMs);
    cut.abort();
    await filling;
  }
  // What a kill between a part's last statement and its mark leaves behind: rows without a mark.
  await fill(other);
  await other.clickhouse.write.command({ query: "TRUNCATE TABLE demo_history" });
  await fill(other);
  expect(await fingerprint(other)).toEqual(whole);

  await fill(stores);
  expect(await fingerprint(stores)).toEqual(whole);
}, 120_000);

test("another seed writes other rows of the same size", async () => {
  const count = async () => (await one(stores, "SELECT count() AS n FROM auctions"))["n"] ?? 0;
  const before = await count();
  await fill(stores, { seed: "another", appIds: new Map([["tide-puzzle-ios", 99]]) });
  const {
    same = 0,
    twin = 0,
    n = 0,
  } = await one(
    stores,
    `SELECT countIf(app_id = 99) AS twin, countIf(app_id = 2) AS n,
      (SELECT count() FROM (SELECT auction_id FROM auctions GROUP BY auction_id HAVING count() > 1)) AS same FROM auctions`,
  );
  expect(await count()).toBe(before + twin);
  expect(twin / n).toBeGreaterThan(0.97);
  expect(twin / n).toBeLessThan(1.03);
  expect(same).toBe(0);
});

test("history ends where live traffic begins, and covers whole days before", async () => {
  const {
    last = 0,
    first = 0,
    days = 0,
  } = await one(
    other,
    `SELECT greatest((SELECT max(at) FROM auctions), (SELECT max(at) FROM events))::Float64 * 1000 AS last,
      least((SELECT min(at) FROM auctions), (SELECT min(at) FROM events))::Float64 * 1000 AS first,
      (SELECT uniqExact(toDate(at)) FROM auctions) AS days`,
  );
  expect(last).toBeLessThan(untilMs);
  expect(last).toBeGreaterThan(untilMs - 60_000);
  expect(first).toBeGreaterThanOrEqual((Math.floor(untilMs / DAY_MS) - DAYS + 1) * DAY_MS);
  expect(days).toBe(DAYS);
});

test("what the rollups say is what the rows say", async () => {
  const raw = await one(
    other,
    `SELECT (SELECT count() FROM auctions) AS requests, countIf(kind = 'impression') AS impressions, countIf(kind = 'click') AS clicks,
      countIf(kind = 'session') AS sessions, sum(seconds) AS session_seconds, sum(revenue_micros) AS revenue_micros FROM events`,
  );
  expect(
    await one(
      other,
      `SELECT sum(requests) AS requests, sum(impressions) AS impressions, sum(clicks) AS clicks, sum(sessions) AS sessions,
        sum(session_seconds) AS session_seconds, sum(revenue_micros) AS revenue_micros FROM stats_daily`,
    ),
  ).toEqual(raw);
});

test("an ad is shown once at most, after it was asked for, on the device and for the price of its auction", async () => {
  expect(
    await one(
      other,
      `SELECT count() AS n, countIf(e.at <= a.at) AS early, countIf(e.device != a.device OR e.provider != a.winner) AS foreign,
        countIf(abs(e.revenue_micros - a.price_micros * 0.8 / 1000) > 1) AS priced, n - uniqExact(e.auction_id) AS twice
       FROM events AS e INNER JOIN auctions AS a ON a.auction_id = e.auction_id WHERE e.kind = 'impression'`,
    ),
  ).toMatchObject({ foreign: 0, priced: 0, twice: 0, n: expect.any(Number) });
});

test("numbers are those of a living app store", async () => {
  const formats = await ask<{ format: string; fill: number; ecpm: number; ctr: number }>(
    other,
    `SELECT format, sum(impressions) / sum(requests) AS fill, sum(revenue_micros) / 1e6 / sum(impressions) * 1000 AS ecpm,
      sum(clicks) / sum(impressions) AS ctr FROM stats_daily WHERE format != '' GROUP BY format`,
  );
  expect(formats).toHaveLength(6);
  for (const { fill, ctr } of formats) {
    expect(fill).toBeGreaterThan(0.7);
    expect(fill).toBeLessThan(0.95);
    expect(ctr).toBeGreaterThan(0.002);
    expect(ctr).toBeLessThan(0.06);
  }
  const ecpm = Object.fromEntries(formats.map((row) => [row.format, row.ecpm]));
  expect(ecpm["banner"]).toBeGreaterThan(0.15);
  expect(ecpm["banner"]).toBeLessThan(1);
  expect(ecpm["rewarded"]).toBeGreaterThan(ecpm["interstitial"] ?? Infinity);
  expect(ecpm["interstitial"]).toBeGreaterThan(ecpm["native"] ?? Infinity);
  expect(ecpm["native"]).toBeGreaterThan(ecpm["banner"] ?? Infinity);

  const {
    us = 0,
    india = 0,
    providers = 0,
    share = 0,
  } = await one(
    other,
    `SELECT sumIf(revenue_micros, country = 'US') / sumIf(impressions, country = 'US') AS us,
      sumIf(revenue_micros, country = 'IN') / sumIf(impressions, country = 'IN') AS india,
      uniqExactIf(provider, impressions > 0) AS providers, max(revenue_micros) AS share
     FROM (SELECT country, provider, sum(revenue_micros) AS revenue_micros, sum(impressions) AS impressions FROM stats_daily GROUP BY ALL)`,
  );
  expect(us / india).toBeGreaterThan(5);
  expect(providers).toBe(14);
  expect(share).toBeGreaterThan(0);
});

test("people come back: far fewer devices in a week than in its days together", async () => {
  const {
    uniques = 0,
    daily = 0,
    sessions = 0,
  } = await one(
    other,
    `SELECT (SELECT uniqExact(device) FROM events WHERE kind = 'session') AS uniques,
      (SELECT sum(n) FROM (SELECT uniqExact(device) AS n FROM events WHERE kind = 'session' GROUP BY toDate(at), app_id)) AS daily,
      (SELECT count() FROM events WHERE kind = 'session') AS sessions`,
  );
  expect(uniques).toBeLessThan(daily * 0.75);
  expect(uniques).toBeGreaterThan(daily * 0.25);
  expect(sessions).toBeGreaterThan(daily * 1.3);
});

test("requests without an ad say why, and sessions say which SDK", async () => {
  const reasons = await ask<{ no_ad: string }>(other, "SELECT DISTINCT no_ad FROM auctions ORDER BY no_ad");
  expect(reasons.map(({ no_ad }) => no_ad)).toEqual([
    "",
    "invalid_bids",
    "no_bid_above_floor",
    "no_demand",
    "partner_errors",
    "timeout",
  ]);
  expect(await one(other, "SELECT countIf((no_ad = '') = (winner = '')) AS wrong FROM auctions")).toEqual({ wrong: 0 });
  const versions = await ask<{ sdk_version: string }>(
    other,
    "SELECT DISTINCT sdk_version FROM events WHERE kind = 'session' ORDER BY sdk_version",
  );
  expect(versions.length).toBeGreaterThanOrEqual(3);
});
