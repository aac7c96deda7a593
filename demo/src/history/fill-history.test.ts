import { setTimeout as pause } from "node:timers/promises";
import { DAY_MS, HOUR_MS, impressionMicros, revenueShareMicros } from "@millrace/units";
import { expect, test } from "vitest";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { CATALOGUE } from "../catalogue.ts";
import { playAuctions } from "../testing/play-auctions.ts";
import { fillHistory } from "./fill-history.ts";

const [stores, other] = [await testStores(), await testStores()];
const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 30 * DAY_MS + 13.3 * HOUR_MS + 123;
/** A few apps that together have every format. */
const APPS = CATALOGUE.filter(({ slug }) =>
  ["tide-puzzle-android", "pocket-ledger-ios", "quiet-radio-android", "harbour-cinema-tvos"].includes(slug),
);
const appIds = new Map(APPS.map(({ slug }, index) => [slug, index + 1]));
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
    campaigns: [],
    inhouse: [],
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

/** Counts and hashes of all rows. */
const fingerprint = (of: Store) =>
  ask(
    of,
    `SELECT (SELECT (count(), sum(cityHash64(*))) FROM auctions) AS auctions, (SELECT (count(), sum(cityHash64(*))) FROM events) AS events,
      (SELECT sum(sent) FROM sent_daily) AS sent, (SELECT (sum(revenue_micros), uniqCombined64Merge(19)(devices)) FROM cohort_daily) AS cohorts, (SELECT (sum(requests), sum(impressions), sum(clicks), sum(sessions), sum(session_seconds), sum(revenue_micros)) FROM stats_daily) AS daily`,
  );

test("the same seed writes the same rows, cut off or not, and never twice", async () => {
  const progress: number[] = [];
  await fill(stores, { onProgress: (share) => progress.push(share) });
  expect(progress).toEqual([5 / 6, 1]);
  const whole = await fingerprint(stores);

  // Interrupted in its first part and twice later, then continued as the next start would.
  for (const afterMs of [30, 250, 400]) {
    const cut = new AbortController();
    const filling = fill(other, { signal: cut.signal, rest: 0.5 });
    await pause(afterMs);
    cut.abort();
    await filling;
  }
  // A kill between a part's last statement and its mark leaves rows without a mark.
  await fill(other);
  await other.clickhouse.write.command({ query: "TRUNCATE TABLE demo_history" });
  await fill(other);
  expect(await fingerprint(other)).toEqual(whole);

  await fill(stores);
  expect(await fingerprint(stores)).toEqual(whole);
}, 240_000);

test("another seed writes other rows of the same size", async () => {
  const count = async () => (await one(stores, "SELECT count() AS n FROM auctions"))["n"] ?? 0;
  const before = await count();
  await fill(stores, { seed: "another", appIds: new Map([["quiet-radio-android", 99]]) });
  const {
    same = 0,
    twin = 0,
    n = 0,
  } = await one(
    stores,
    `SELECT countIf(app_id = 99) AS twin, countIf(app_id = ${appIds.get("quiet-radio-android")}) AS n,
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

test("rollups and raw rows agree", async () => {
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
      `SELECT count() - uniqExact(e.auction_id) AS twice, countIf(e.at < a.at) AS early,
        countIf(e.device != a.device OR e.provider != a.winner OR e.app_id != a.app_id OR e.zone != a.zone) AS foreign
       FROM events AS e LEFT JOIN auctions AS a ON a.auction_id = e.auction_id WHERE e.kind = 'impression'`,
    ),
  ).toEqual({ twice: 0, early: 0, foreign: 0 });
  const sold = await ask<{ price: string; revenue: string }>(
    other,
    `SELECT a.price_micros AS price, e.revenue_micros AS revenue FROM events AS e INNER JOIN auctions AS a USING (auction_id)
     WHERE e.kind = 'impression' ORDER BY e.event_id LIMIT 2000`,
  );
  expect(sold).toHaveLength(2000);
  for (const { price, revenue } of sold) {
    expect(Number(revenue)).toBe(revenueShareMicros(impressionMicros(Number(price)), 800_000));
  }
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

  const { us = 0, india = 0 } = await one(
    other,
    `SELECT sumIf(revenue_micros, country = 'US') / sumIf(impressions, country = 'US') AS us,
      sumIf(revenue_micros, country = 'IN') / sumIf(impressions, country = 'IN') AS india FROM stats_daily`,
  );
  expect(us / india).toBeGreaterThan(5);
  const providers = await ask<{ share: number }>(
    other,
    `SELECT sum(revenue_micros) / (SELECT sum(revenue_micros) FROM stats_daily) AS share FROM stats_daily
     WHERE impressions > 0 GROUP BY provider`,
  );
  expect(providers).toHaveLength(14);
  expect(Math.max(...providers.map(({ share }) => share))).toBeLessThan(0.35);
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

test("each device has one first day, and its lifetime revenue grows with its age", async () => {
  expect(
    await one(
      other,
      `SELECT (SELECT max(days) FROM (SELECT uniqExact(first_day) AS days FROM events WHERE kind != 'ping' GROUP BY device, app_id)) AS days,
        countIf(first_day = toDate('1970-01-01') OR first_day > toDate(at, 'UTC')) AS wrong,
        countIf(first_day = toDate(at, 'UTC')) > 0 AS fresh FROM events`,
    ),
  ).toEqual({ days: 1, wrong: 0, fresh: 1 });
  const { rollup = 0, rows = 0 } = await one(
    other,
    `SELECT (SELECT sum(revenue_micros) FROM cohort_daily) AS rollup, (SELECT sum(revenue_micros) FROM events) AS rows`,
  );
  expect(rollup).toBe(rows);
  const cohort = await ask<{ age: number; revenue: string; devices: string }>(
    other,
    `SELECT age, sum(cohort_daily.revenue_micros) AS revenue, uniqCombined64Merge(19)(cohort_daily.devices) AS devices FROM cohort_daily
     WHERE first_day BETWEEN toDate(${Math.floor(untilMs / DAY_MS) - DAYS + 1}) AND toDate(${Math.floor(untilMs / DAY_MS) - DAYS + 2})
     GROUP BY age ORDER BY age`,
  );
  expect(cohort.map(({ age }) => age)).toEqual([0, 1, 2, 3, 4, 5]);
  // All devices are active on their first day and fewer each day after. Each of the first four days has revenue.
  const [first, next, , later] = cohort.map(({ devices }) => Number(devices));
  expect(first).toBeGreaterThan(100);
  expect(next).toBeLessThan((first ?? 0) * 0.7);
  expect(later).toBeLessThan(next ?? 0);
  for (const { revenue } of cohort.slice(0, 4)) expect(Number(revenue)).toBeGreaterThan(0);
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
  const versionsOf = (kind: string) =>
    ask<{ sdk_version: string }>(
      other,
      `SELECT DISTINCT sdk_version FROM events WHERE kind = '${kind}' AND sdk_version != '' ORDER BY sdk_version`,
    );
  const versions = await versionsOf("session");
  expect(versions.length).toBeGreaterThanOrEqual(3);
  // The statistics leave out versions that have shown no ad.
  expect(await versionsOf("impression")).toEqual(versions);
});

test("history has the lab's own fill rates and prices, format by format", async () => {
  const written = await ask<{ format: string; served: number; cpm: number }>(
    other,
    `SELECT format, countIf(winner != '') / count() AS served, avgIf(price_micros, winner != '') / 1e6 AS cpm
     FROM auctions GROUP BY format`,
  );
  const played = playAuctions(APPS, 2500);
  for (const { format, served, cpm } of written) {
    const live = played.get(format) ?? expect.fail(`no auction for ${format}`);
    expect(live.served / live.requests).toBeGreaterThan(served - 0.05);
    expect(live.served / live.requests).toBeLessThan(served + 0.05);
    expect(live.cpm / live.served / cpm).toBeGreaterThan(0.8);
    expect(live.cpm / live.served / cpm).toBeLessThan(1.25);
  }
});

test("the recorded facts of partners agree with the auction's result", async () => {
  const found = await one(
    other,
    `SELECT count() AS auctions,
      countIf(length(outcomes) != length(asked) OR length(latencies_ms) != length(asked) OR length(bids_micros) != length(asked)) AS uneven,
      countIf(winner != '' AND (outcomes[indexOf(asked, winner)] != 'bid' OR bids_micros[indexOf(asked, winner)] != price_micros)) AS winners,
      countIf(winner != '' AND arrayMax(bids_micros) != price_micros) AS outbid,
      countIf(arrayExists((outcome, bid) -> (outcome = 'bid') != (bid > 0), outcomes, bids_micros)) AS prices,
      countIf(no_ad = 'timeout' AND arrayExists(outcome -> outcome != 'timeout', outcomes)) AS timeouts,
      countIf(no_ad = 'no_demand' AND has(outcomes, 'bid')) AS demand,
      countIf(duration_ms < arrayMax(latencies_ms) OR duration_ms > 100) AS durations
     FROM auctions`,
  );
  const { auctions = 0, ...wrong } = found;
  expect(auctions).toBeGreaterThan(10_000);
  expect(wrong).toEqual({ uneven: 0, winners: 0, outbid: 0, prices: 0, timeouts: 0, demand: 0, durations: 0 });
});

test("a slow partner is late more often than the others, and the rollup of partners has every request", async () => {
  const partners = await ask<{ provider: string; late: number }>(
    other,
    `SELECT provider, sum(timeouts) / sum(partner_daily.asked) AS late FROM partner_daily GROUP BY provider ORDER BY late DESC`,
  );
  expect(partners[0]?.provider).toBe("lab-tardy");
  expect(partners[0]?.late).toBeGreaterThan(0.2);
  expect(partners[1]?.late).toBeLessThan(0.08);
  const { rollup = 0, rows = 0 } = await one(
    other,
    `SELECT (SELECT sum(partner_daily.asked) FROM partner_daily) AS rollup, sum(length(auctions.asked)) AS rows FROM auctions`,
  );
  expect(rollup).toBe(rows);
});
