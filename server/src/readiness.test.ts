import Fastify from "fastify";
import { Counter, Histogram, Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { type Check, type CheckTimes, type ProcessReport, serveHealth } from "./platform/http/health.ts";
import { testStores } from "./platform/testing/stores.ts";
import { storeChecks } from "./start-stores.ts";

const stores = await testStores();

function readiness(checks: Record<string, Check>, times?: CheckTimes) {
  const app = Fastify();
  onTestFinished(() => app.close());
  serveHealth(app, checks, new Registry(), times && { times });
  return {
    async probe() {
      const reply = await app.inject({ method: "GET", url: "/readyz" });
      return { status: reply.statusCode, ...reply.json<{ ok: boolean; parts: Record<string, string> }>() };
    },
  };
}

/** Like the dashboard; the client opens at most 32 connections. */
const statistic = async (nth: number) =>
  (await stores.clickhouse.read.query({ query: `SELECT ${nth} AS n`, format: "JSONEachRow" })).json();

// Some 5,000 queries of the analytical store, one after the other: a busy machine takes its time.
test("500 probes under load do not use up the statistics connections", { timeout: 120_000 }, async () => {
  const checks = storeChecks(stores.pg, stores.clickhouse);
  // Nothing is cached between probes, so each of them queries the stores.
  const { probe } = readiness(checks, { timeoutMs: 10_000, freshMs: 0 });
  let isProbing = true;
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      let asked = 0;
      while (isProbing) expect(await statistic(client * 1e6 + asked)).toEqual([{ n: client * 1e6 + asked++ }]);
      return asked;
    }),
  );
  for (let nth = 0; nth < 500; nth++) {
    expect(await probe()).toEqual({ status: 200, ok: true, parts: { postgres: "ok", clickhouse: "ok" } });
  }
  isProbing = false;
  expect(Math.min(...(await load))).toBeGreaterThan(0);
  expect(await Promise.all(Array.from({ length: 40 }, (_, nth) => statistic(nth)))).toHaveLength(40);
});

test("simultaneous probes share one check, and the outcome is cached for a while", async () => {
  let checked = 0;
  const { probe } = readiness({ store: async () => void checked++ }, { timeoutMs: 1000, freshMs: 300 });
  await Promise.all(Array.from({ length: 500 }, probe));
  await probe();
  expect(checked).toBe(1);
  await expect.poll(async () => (await probe(), checked), { interval: 50 }).toBe(2);
});

test("a hanging check counts as failed, is not started twice, and passes again once it ends", async () => {
  let release = () => {};
  let checked = 0;
  const hanging = () => {
    checked++;
    return checked > 1
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          release = resolve;
        });
  };
  const { probe } = readiness({ store: hanging }, { timeoutMs: 50, freshMs: 0 });
  for (let nth = 0; nth < 3; nth++) {
    expect(await probe()).toEqual({ status: 503, ok: false, parts: { store: "down" } });
  }
  expect(checked).toBe(1);
  release();
  await expect.poll(async () => (await probe()).status).toBe(200);
});

test("a check that fails names its part, and does not stop the others", async () => {
  const broken = async () => {
    throw new Error("away");
  };
  const { probe } = readiness({ postgres: async () => {}, clickhouse: broken });
  expect(await probe()).toEqual({ status: 503, ok: false, parts: { postgres: "ok", clickhouse: "down" } });
});

test("a process serves while a store is away that it shares, and not without what it has for itself", async () => {
  const away = () => Promise.reject(new Error("away"));
  let isDiskFull = false;
  const app = Fastify();
  onTestFinished(() => app.close());
  const own = { disk_space: () => (isDiskFull ? away() : Promise.resolve()) };
  const times = { timeoutMs: 1000, freshMs: 0 };
  serveHealth(app, { clickhouse: away }, new Registry(), { own, times });
  const serving = async () => {
    const reply = await app.inject("/servez");
    return [reply.statusCode, reply.json()];
  };
  expect(await serving()).toEqual([200, { ok: true }]);
  const ready = await app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    { ok: false, parts: { clickhouse: "down", disk_space: "ok" } },
  ]);
  isDiskFull = true;
  await expect.poll(serving).toEqual([503, { ok: false }]);
});

test("of several processes each answers for all: a part that is down in one, and metrics by process", async () => {
  const sold = async (count: number): Promise<ProcessReport["metrics"]> => {
    const registry = new Registry();
    new Counter({ name: "sold_total", help: "Ads", labelNames: ["format"], registers: [registry] }).inc(
      { format: "banner" },
      count,
    );
    new Histogram({ name: "took_seconds", help: "Times", buckets: [1, 2], registers: [registry] }).observe(1.5);
    return registry.getMetricsAsJSON();
  };
  const reports = new Map<string, ProcessReport | null>([
    ["exchange-1", { parts: { postgres: "ok", redis: "ok" }, metrics: await sold(1) }],
    ["exchange-2", { parts: { postgres: "ok", redis: "down" }, metrics: await sold(2) }],
    ["dashboard", null],
  ]);
  const app = Fastify();
  onTestFinished(() => app.close());
  serveHealth(app, {}, new Registry(), { processes: { answerWith: () => undefined, reports: async () => reports } });
  const ready = await app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    {
      ok: false,
      parts: { postgres: "ok", redis: "down" },
      processes: { "exchange-1": "ok", "exchange-2": "down", dashboard: "down" },
    },
  ]);
  const lines = (await app.inject("/metrics")).body.split("\n");
  expect(lines.filter((line) => line.startsWith("sold_total"))).toEqual([
    'sold_total{format="banner",process="exchange-1"} 1',
    'sold_total{format="banner",process="exchange-2"} 2',
  ]);
  expect(lines).toContain('took_seconds_bucket{le="2",process="exchange-2"} 1');
});
