import { APP_FUNCS, PUBLISHER_FUNCS } from "@millrace/contract";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { retireRawRows } from "../statistics/index.ts";
import { auction, impression, keep } from "../statistics/testing/some-rows.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { appsServer } from "./testing/apps-server.ts";
import { type Question, addressOf, questions } from "./testing/numbers-agree.ts";
import { DAYS, FIRST_DAY, threeApps } from "./testing/three-apps.ts";

const stores = await testStores();
const { clickhouse } = stores;
const { account, apps } = await threeApps(stores);

const LENGTHS = [
  { min: 1, max: 2 },
  { min: 3, max: 40 },
  { min: 100, max: 290 },
];
const asked = fc.sample(questions(FIRST_DAY, DAYS, LENGTHS), { numRuns: 8, seed: 20_241_119 });

const RETENTION = { auctions: 30, events: 30 };
/** Asked on their last day, of which more than the retention lies between it and the compared day. */
const running = fc.sample(questions(FIRST_DAY, DAYS, [{ min: 35, max: 150 }]), { numRuns: 3, seed: 20_241_120 });
let now = Date.now();

/** All screens' queries, from processes with empty caches: of days that are over, and of days that end today. */
async function screens(): Promise<unknown[]> {
  const at = await appsServer(stores);
  const live = await appsServer(stores, { now: () => now, retentionDays: RETENTION });
  try {
    const shown: unknown[] = [];
    for (const question of asked) shown.push(await screensOf(at, question));
    for (const question of running) {
      now = Date.parse(`${question.de}T00:00:00Z`) + question.elapsedMs;
      shown.push(await screensOf(live, question));
    }
    return shown;
  } finally {
    await at.stop();
    await live.stop();
  }
}

async function screensOf({ get }: Awaited<ReturnType<typeof appsServer>>, question: Question) {
  const filter = addressOf(question);
  const parts = (funcs: readonly string[]) =>
    `${filter}&view=${question.view}${funcs.map((func) => `&func=${func}`).join("")}`;
  const answers = await Promise.all([
    get(account, `/apps/${apps[question.app]?.uuid}/stats.json?${parts(APP_FUNCS)}`),
    get(account, `/apps/performance/stats?${parts(PUBLISHER_FUNCS)}`),
    get(account, `/apps.json?${filter}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  return { filter, answers };
}

/** A fixed day for a store that was just written. */
const retireOn = (day: string) => {
  const nowMs = Date.parse(`${day}T00:00:00Z`);
  return retireRawRows(clickhouse, nowMs, { days: RETENTION, quietMs: nowMs - Date.now() - 5000 });
};

async function rawRowsBefore(day: string): Promise<number> {
  const found = await clickhouse.read.query({
    query: `SELECT toFloat64((SELECT count() FROM auctions WHERE at < '${day}') + (SELECT count() FROM events WHERE at < '${day}')) AS rows`,
    format: "JSONEachRow",
  });
  return (await found.json<{ rows: number }>())[0]?.rows ?? 0;
}

let before: unknown[];
beforeAll(async () => {
  before = await screens();
}, 240_000);

test(
  "every screen shows the same numbers after the raw rows of past months, or of all months, are deleted",
  { timeout: 300_000 },
  async () => {
    expect(before).toEqual(
      [...asked, ...running].map((question) => expect.objectContaining({ filter: addressOf(question) }) as unknown),
    );
    expect((await retireOn("2024-07-15")).map(({ table, month }) => `${table} ${month}`)).toEqual(
      ["auctions", "events"].flatMap((table) =>
        ["202402", "202403", "202404", "202405"].map((month) => `${table} ${month}`),
      ),
    );
    expect([await rawRowsBefore("2024-06-01"), (await rawRowsBefore("2024-07-01")) > 0]).toEqual([0, true]);
    expect(await screens()).toEqual(before);

    await retireOn("2025-06-01");
    expect(await rawRowsBefore("2025-01-01")).toBe(0);
    expect(await screens()).toEqual(before);
  },
);

test("a month that is still written to is kept, and none is retired twice", { timeout: 120_000 }, async () => {
  await keep(clickhouse, { auctions: [auction("2023-01-05T10:00:00Z", { app_id: 99 })] });
  const nowMs = Date.parse("2025-06-01T00:00:00Z");
  const days = { auctions: 30, events: 30 };
  const quiet = nowMs - Date.now() + 3_600_000;
  expect(await retireRawRows(clickhouse, nowMs, { days, quietMs: quiet })).toEqual([]);
  expect(await retireOn("2025-06-01")).toEqual([{ table: "auctions", month: "202301" }]);
  expect(await retireOn("2025-06-01")).toEqual([]);
});

test(
  "rows that arrive after their month was retired are counted once, also by hour",
  { timeout: 120_000 },
  async () => {
    const [app] = apps;
    const ask = async (provider: string) => {
      const at = await appsServer(stores);
      const { body } = await at.get(
        account,
        `/apps/${app?.uuid}/stats.json?ds=2024-03-05&de=2024-03-05&func=graph_data${provider}`,
      );
      await at.stop();
      const { series } = (body as { graph_data: { series: { requests: number[]; uniques: number[] } } }).graph_data;
      return { requests: series.requests.reduce((sum, some) => sum + some, 0), at10: series.uniques[10] ?? 0 };
    };
    const [all, sent] = [await ask(""), await ask("&provider=aurora")];
    const late = { app_id: app?.id ?? 0, device: "77777" };
    await keep(clickhouse, {
      auctions: [auction("2024-03-05T10:30:00Z", { ...late, asked: ["aurora"] })],
      events: [impression("2024-03-05T10:30:01Z", { ...late, provider: "aurora" })],
    });
    await retireOn("2025-06-01");
    expect(await ask("")).toEqual({ requests: all.requests + 1, at10: all.at10 + 1 });
    expect(await ask("&provider=aurora")).toEqual({ requests: sent.requests + 1, at10: sent.at10 + 1 });
  },
);
