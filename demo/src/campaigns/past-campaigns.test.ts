import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayOf, impressionMicros, revenueShareMicros } from "@millrace/units";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stateOf } from "../../../server/src/areas/budgets/index.ts";
import { filesOnDisk } from "../../../server/src/platform/files/stored-files.ts";
import { testStores } from "../../../server/src/platform/testing/stores.ts";
import { fillHistory } from "../history/fill-history.ts";
import { seedDemo, type SeededDemo } from "../seed-demo.ts";
import { postbackCounts, latestPostbacks } from "../../../server/src/areas/measurement/index.ts";
import { bookPastSpend } from "./past-campaigns.ts";
import { logPastPostbacks } from "./past-postbacks.ts";

const stores = await testStores();
const { pool } = stores.pg;
const { read, write } = stores.clickhouse;
const filesDir = await mkdtemp(join(tmpdir(), "demo-files-"));
afterAll(() => rm(filesDir, { recursive: true }));

const SHARE_PPM = 800_000;
/** It has banners, full screens and videos. */
const APP = "tide-puzzle-android";
/** The promotion that competes is shown here. */
const OTHER_APP = "star-lanes-android";
let demo: SeededDemo;
beforeAll(async () => {
  const files = filesOnDisk(filesDir);
  const settings = {
    labUrl: "http://127.0.0.1:4100",
    password: "password",
    hashPassword: async () => "hash",
    revenueSharePpm: SHARE_PPM,
  };
  demo = await seedDemo({ pool, files, ...settings });
  const { appIds, campaigns, inhouse, sinceMs: untilMs } = demo;
  // The campaigns began 45, 33 and 12 days ago: all, some and none of them deliver in these days.
  await fillHistory({
    write,
    seed: "test",
    untilMs,
    days: 50,
    appIds: new Map([...appIds].filter(([slug]) => slug === APP || slug === OTHER_APP)),
    campaigns,
    inhouse,
    revenueSharePpm: SHARE_PPM,
    rest: 0,
  });
}, 240_000);

async function rowsOf<T>(query: string): Promise<T[]> {
  return (await read.query({ query, format: "JSONEachRow" })).json<T>();
}

test("the three campaigns that deliver have done so since they began, at their bids", async () => {
  const rows = await rowsOf<{ id: number; first: string; price: number; below: string; provider: string }>(
    `SELECT campaign_id AS id, toString(toDate(min(at))) AS first, any(price_micros)::Float64 AS price, any(winner) AS provider,
       countIf(price_micros < floor_micros OR price_micros != arrayMax(bids_micros)) AS below
     FROM auctions WHERE winner = 'campaigns' GROUP BY id, price_micros ORDER BY id`,
  );
  expect(rows).toEqual(
    demo.campaigns.map(({ id, startsAt, cpm }) => ({
      id,
      first: dayOf(startsAt * 1000),
      price: cpm * 1e6,
      below: "0",
      provider: "campaigns",
    })),
  );
  expect(rows).toHaveLength(3);
});

test("on each day, what advertisers pay is what publishers get and the platform keeps, impression by impression", async () => {
  const days = await rowsOf<{ id: number; day: string; costs: number; revenue: number; impressions: number }>(
    `SELECT campaign_id AS id, toString(toDate(at)) AS day, sum(cost_micros)::Float64 AS costs, sum(revenue_micros)::Float64 AS revenue,
       countIf(kind = 'impression')::Float64 AS impressions FROM events WHERE provider = 'campaigns' GROUP BY id, day`,
  );
  expect(days.length).toBeGreaterThan(70);
  for (const { id, costs, revenue, impressions } of days) {
    const cpm = demo.campaigns.find((campaign) => campaign.id === id)?.cpm ?? expect.fail();
    const cost = impressionMicros(cpm * 1e6);
    const share = revenueShareMicros(cost, SHARE_PPM);
    expect([costs, revenue]).toEqual([impressions * cost, impressions * share]);
    expect(costs - revenue).toBe(impressions * (cost - share));
  }
  const inAll = days.reduce((sum, { costs }) => sum + costs, 0);
  const rollup = await rowsOf<{ costs: number }>("SELECT sum(cost_micros)::Float64 AS costs FROM campaign_hourly");
  expect(rollup[0]?.costs).toBe(inAll);
  const books = await rowsOf<{ gross: number }>(
    "SELECT sum(gross_micros)::Float64 AS gross FROM earnings_daily WHERE provider = 'campaigns'",
  );
  expect(books[0]?.gross).toBe(inAll);
});

test("cross promotions were shown in their apps since they were made, in place of lower bids or of none, and cost nothing", async () => {
  const rows = await rowsOf<{
    id: number;
    apps: number;
    first: string;
    over: number;
    paid: number;
    ranked: number;
    shown: number;
  }>(
    `SELECT campaign_id AS id, uniqExact(app_id)::Float64 AS apps, toString(toDate(min(at))) AS first,
       countIf(arrayMax(arrayPushBack(bids_micros, 0)) >= greatest(2000000, floor_micros))::Float64 AS over,
       sum(price_micros)::Float64 AS paid, avg(expected_micros)::Float64 AS ranked,
       (SELECT count()::Float64 FROM events WHERE provider = 'inhouse' AND kind = 'impression' AND revenue_micros = 0
          AND cost_micros = 0) AS shown
     FROM auctions WHERE winner = 'inhouse' GROUP BY id ORDER BY id`,
  );
  const [competing, filling] = demo.inhouse;
  expect(rows).toEqual(
    [competing, filling].map((one) => ({
      id: one?.id,
      // Where both are allowed, the one that competes beats the one that fills.
      apps: 1,
      first: dayOf((one?.startsAt ?? 0) * 1000),
      over: 0,
      paid: 0,
      ranked: Math.round((one?.cpm ?? 0) * 1e6),
      shown: expect.any(Number) as number,
    })),
  );
  expect(rows[0]?.shown).toBeGreaterThan(100);
  const [counted] = await rowsOf<{ installs: number }>(
    `SELECT uniqExact(event_id)::Float64 AS installs FROM conversions FINAL WHERE campaign_id IN (${rows.map(({ id }) => id).join()})`,
  );
  expect(counted?.installs).toBeGreaterThan(0);
});

test("a share of the clicks of history has led to installs, each once and none in the future", async () => {
  const [found] = await rowsOf<{ clicks: number; installs: number; ads: number; early: number; late: number }>(
    `SELECT (SELECT count()::Float64 FROM events WHERE kind = 'click' AND campaign_id != 0) AS clicks, count()::Float64 AS installs,
       uniqExact(event_id)::Float64 AS ads, countIf(at <= ad_at)::Float64 AS early,
       countIf(at > toDateTime64(${demo.sinceMs / 1000}, 3, 'UTC'))::Float64 AS late
     FROM conversions FINAL WHERE is_goal AND kind = 'click'`,
  );
  if (!found) throw new Error("there is a row");
  const { clicks, installs, ads, early, late } = found;
  expect(installs).toBeGreaterThan(20);
  expect(installs / clicks).toBeCloseTo(0.3, 1);
  expect([ads, early, late]).toEqual([installs, 0, 0]);
});

test("creatives that fill the same places are shown equally often, and one full screen is clicked more often", async () => {
  const creatives = await rowsOf<{ format: string; shown: number; rate: number }>(
    `SELECT format, creative_id, countIf(kind = 'impression')::Float64 AS shown, countIf(kind = 'click') / shown AS rate
     FROM events WHERE campaign_id != 0 AND arm = 'even' GROUP BY format, creative_id ORDER BY format, creative_id`,
  );
  expect(creatives.map(({ format }) => format)).toEqual(["banner", "banner", "interstitial", "interstitial"]);
  for (const [one, other] of [creatives.slice(0, 2), creatives.slice(2)])
    expect(Math.abs((one?.shown ?? 0) / (other?.shown ?? 1) - 1)).toBeLessThan(0.15);
  const [best, worst] = creatives.slice(2);
  expect((best?.rate ?? 0) / (worst?.rate ?? 1)).toBeGreaterThan(1.4);
  const [others] = await rowsOf<{ n: number }>(
    "SELECT uniqExact(arm)::Float64 AS n FROM conversions FINAL WHERE creative_id IN (SELECT creative_id FROM events WHERE arm = 'even')",
  );
  expect(others?.n).toBe(1);
});

test("the spend of history is booked once, beside what is spent live on its last day", async () => {
  const { campaigns, sinceMs } = demo;
  const [first] = campaigns;
  const live = { id: first?.id ?? 0, micros: 777 };
  await pool.query(
    `WITH account AS (INSERT INTO account_budgets (account_id, spent_micros) SELECT account_id, $2 FROM campaigns WHERE id = $1 RETURNING account_id),
     campaign AS (INSERT INTO campaign_budgets (campaign_id, account_id, spent_micros) SELECT $1, account_id, $2 FROM account RETURNING campaign_id)
     INSERT INTO campaign_days (campaign_id, day, spent_micros) SELECT campaign_id, $3, $2 FROM campaign`,
    [live.id, live.micros, dayOf(sinceMs)],
  );
  for (let times = 0; times < 2; times++) await bookPastSpend({ pool, read }, campaigns, sinceMs);

  const counted = await rowsOf<{ id: number; day: string; micros: number }>(
    `SELECT campaign_id AS id, toString(toDate(at)) AS day, sum(cost_micros)::Float64 AS micros FROM events
     WHERE campaign_id != 0 GROUP BY id, day HAVING micros > 0 ORDER BY id, day`,
  );
  const withLive = counted.map((row) => ({
    ...row,
    micros: row.micros + (row.id === live.id && row.day === dayOf(sinceMs) ? live.micros : 0),
  }));
  const booked = await pool.query(
    "SELECT campaign_id AS id, day::text, spent_micros::float8 AS micros FROM campaign_days ORDER BY id, day",
  );
  expect(booked.rows).toEqual(withLive);
  const total = withLive.reduce((sum, { micros }) => sum + micros, 0);
  const sums = await pool.query(
    `SELECT (SELECT sum(spent_micros) FROM campaign_budgets)::float8 AS campaigns,
       (SELECT sum(spent_micros) FROM account_budgets)::float8 AS accounts`,
  );
  expect(sums.rows).toEqual([{ campaigns: total, accounts: total }]);
});

test("the postbacks of history are logged once: as many accepted ones as there are conversions, and some refused", async () => {
  const { campaigns, inhouse, sinceMs, advertiserId: accountId, publisher } = demo;
  for (let times = 0; times < 2; times++) {
    await logPastPostbacks({ pool, read }, { accountId, campaigns, untilMs: sinceMs });
    // The publisher's have ids of their own.
    await logPastPostbacks({ pool, read }, { accountId: publisher.accountId, campaigns: inhouse, untilMs: sinceMs });
  }
  const campaignId = campaigns[0]?.id ?? expect.fail("there are campaigns");
  const [made] = await rowsOf<{ n: number }>(
    `SELECT count()::Float64 AS n FROM conversions FINAL WHERE campaign_id = ${campaignId}
       AND at >= toDate('${dayOf(sinceMs)}') - 29 AND at < toDate('${dayOf(sinceMs)}')`,
  );
  const counts = await postbackCounts(pool, { accountId, campaignId, nowMs: sinceMs });
  expect(counts.accepted).toBe(made?.n);
  expect(Object.keys(counts).toSorted()).toEqual(["accepted", "late", "replayed", "unauthorized", "unknown_click"]);
  const lines = await latestPostbacks(pool, accountId, campaignId);
  expect(lines).toHaveLength(50);
  expect(lines.map(({ at }) => at)).toEqual(
    lines
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(lines.map(({ outcome }) => outcome)).size).toBeGreaterThan(2);
  expect(lines.every(({ at }) => Date.parse(at) < sinceMs)).toBe(true);
});

test("history has left money in every budget", async () => {
  const ids = demo.campaigns.map(({ id }) => id);
  const states = await stateOf(pool, ids, new Date(demo.sinceMs));
  expect(
    [...states.values()].map((state) => [state.isBudgetSpent, state.isDailyBudgetSpent, state.isBalanceSpent]),
  ).toEqual(ids.map(() => [false, false, false]));
  const { rows } = await pool.query(
    "SELECT c.id FROM campaigns c JOIN campaign_days d ON d.campaign_id = c.id WHERE d.spent_micros > c.daily_micros",
  );
  expect(rows).toEqual([]);
});
