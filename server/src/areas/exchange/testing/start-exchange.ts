import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Reply, sdkAd } from "@millrace/contract";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type { Clock } from "../../../platform/clock.ts";
import { buildServer } from "../../../platform/http/build-server.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { silentLog } from "../../../platform/log.ts";
import { testSealer } from "../../../platform/testing/test-sealer.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import type { SharedRedis } from "../../../platform/redis/shared-redis.ts";
import { keyReader, setPartnerKeys, upsertPartner } from "../../demand-partners/index.ts";
import { somePartner } from "../../../testing/some-partner.ts";
import { type Budgets, budgetsArea } from "../../budgets/index.ts";
import { clickIds } from "../../measurement/index.ts";
import { statisticsArea } from "../../statistics/index.ts";
import { type ExchangeDeps, exchangeArea, openGeo } from "../index.ts";

/** A clock that a test can set. */
export interface TestClock extends Clock {
  offsetMs: number;
}

export interface TestExchange {
  app: FastifyInstance;
  clock: TestClock;
  dataDir: string;
  exchange: Awaited<ReturnType<typeof exchangeArea>>;
  statistics: Awaited<ReturnType<typeof statisticsArea>>;
  /** Of an exchange that buys for campaigns. */
  budgets: Budgets | undefined;
  /** The rows of a table, after all background work is done. */
  rows<T>(
    table: "events" | "auctions" | "traces" | "player_events" | "dropped_events" | "campaign_misses",
  ): Promise<T[]>;
  stop(): Promise<void>;
}

/** One for all tests: reading it takes longer than starting the rest of an exchange. */
let geo: ReturnType<typeof openGeo> | undefined;

/** Starts the exchange and the statistics area on real stores, wired as in `start-platform.ts`. */
export async function startExchange(
  stores: TestStores,
  more: Partial<Omit<ExchangeDeps, "settings">> & {
    dataDir?: string;
    settings?: Partial<ExchangeDeps["settings"]>;
    caller?: Caller;
    /** It buys for campaigns. Their pace is their bid. */
    buysForCampaigns?: true;
    /** It is one of several processes, with a name of its own. */
    sharing?: { redis: SharedRedis; name: string };
    /** The clock's at the start. */
    offsetMs?: number;
  } = {},
): Promise<TestExchange> {
  const dataDir = more.dataDir ?? (await mkdtemp(join(tmpdir(), "exchange-")));
  const clock: TestClock = { offsetMs: more.offsetMs ?? 0, now: () => Date.now() + clock.offsetMs };
  const statistics = await statisticsArea({
    clickhouse: stores.clickhouse,
    journalDir: join(dataDir, "journal"),
    clock,
    log: silentLog,
  });
  const budgets =
    more.buysForCampaigns &&
    budgetsArea({ postgresUrl: stores.pg.url, clock, log: silentLog, storeClock: { now: () => clock.now() } });
  await budgets?.start?.();
  let onRestored = () => {};
  const restored = new Promise<void>((resolve) => (onRestored = resolve));
  const exchange = await exchangeArea({
    pool: stores.pg.pool,
    partnerKeys: keyReader(testSealer, silentLog),
    clickhouse: stores.clickhouse.read,
    findApp: async () => undefined,
    siteState: async () => "no_site",
    events: statistics.events,
    look: () => statistics.look(),
    turns: statistics.turns,
    async *recentEventIds(sinceMs) {
      yield* statistics.recentEventIds(sinceMs);
      onRestored();
    },
    noticesDir: join(dataDir, "notices"),
    clock,
    log: silentLog,
    secrets: ["a secret for tests of at least 32 bytes"],
    geo: await (geo ??= openGeo()),
    // Generous, because tests share the machine; benchmarks measure the real deadline.
    deadlineMs: 500,
    ...(budgets && {
      campaigns: {
        budgets,
        statistics,
        clickIds: clickIds(["a secret for tests of at least 32 bytes"]),
        pacer: { planOf: () => ({ bidMicros: Number.MAX_SAFE_INTEGER, share: 1, tries: 0 }) },
      },
    }),
    ...(more.sharing && { processes: { ...more.sharing, flush: () => statistics.flush() } }),
    ...more,
    settings: {
      publicUrl: "https://ads.example.com",
      revenueSharePpm: 800_000,
      traceShare: 0,
      demo: true,
      // Requests of tests come from anywhere; those about the law say where it applies.
      gdprCountries: new Set(),
      ...more.settings,
    },
  });
  const app = await buildServer({
    log: silentLog,
    trustedProxies: 1,
    authenticate: async () => more.caller ?? null,
  });
  exchange.routes(app);
  await exchange.start?.();
  await app.ready();
  // Until then, events with tokens of the same moment are deferred.
  if (more.recentEventIds === undefined && !more.sharing) await restored;
  return {
    app,
    clock,
    dataDir,
    exchange,
    statistics,
    budgets,
    async rows(table) {
      await exchange.drain();
      await statistics.flush();
      const found = await stores.clickhouse.read.query({
        query: `SELECT * FROM ${table} ORDER BY at`,
        format: "JSONEachRow",
      });
      return found.json();
    },
    async stop() {
      await app.close();
      await exchange.stop?.();
      await budgets?.stop?.();
      await statistics.stop?.();
    },
  };
}

export const removeDir = (dir: string) => rm(dir, { recursive: true, force: true });

export interface TestApp {
  id: number;
  uuid: string;
  accountId: number;
}

/** An app of a separate account. */
export async function insertApp(
  { pg: { pool } }: TestStores,
  { bundleId = `com.example.a${randomUUID().slice(0, 8)}`, platform = "android", kids = false } = {},
): Promise<TestApp> {
  const account = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('Studio') RETURNING id");
  const accountId = account.rows[0]?.id ?? 0;
  const app = await pool.query<{ id: number; uuid: string }>(
    "INSERT INTO apps (account_id, name, bundle_id, platform, kids) VALUES ($1, 'Puzzle', $2, $3, $4) RETURNING id, uuid",
    [accountId, bundleId, platform, kids],
  );
  return { id: app.rows[0]?.id ?? 0, uuid: app.rows[0]?.uuid ?? "", accountId };
}

/** Adds a partner, and the app's keys at it for all formats. */
export async function addPartner(
  { pg: { pool } }: TestStores,
  app: TestApp,
  id: string,
  endpoint: string,
  {
    keys,
    ...more
  }: {
    media_types?: string[];
    gvl_id?: number;
    openrtb_version?: string;
    kind?: string;
    keys?: Record<string, unknown>;
  } = {},
): Promise<void> {
  await upsertPartner(pool, somePartner({ id, name: `Partner ${id}`, endpoint, ...more }));
  for (const format of ["banner", "video"] as const) {
    await setPartnerKeys(pool, testSealer, app.accountId, {
      app_id: app.id,
      partner_id: id,
      format,
      keys: keys ?? { placement: `${id}-${format}` },
      enabled: true,
    });
  }
}

export const ANDROID_UA =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
export const DEVICE = { os: "android", osv: "14", make: "Google", model: "Pixel 8", w: 1080, h: 2400, pxratio: 3 };

/** Posts JSON like a device. */
export function post(
  { app }: Pick<TestExchange, "app">,
  url: string,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: "POST",
    url,
    payload: JSON.stringify(payload),
    headers: { "content-type": "application/json", "user-agent": ANDROID_UA, ...headers },
  });
}

/** Fires a beacon like a device. */
export function fire(
  { app }: Pick<TestExchange, "app">,
  url: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const { pathname, search } = new URL(url);
  return app.inject({ method: "GET", url: `${pathname}${search}`, headers: { "user-agent": ANDROID_UA, ...headers } });
}

/** Starts a session of an app like the SDK. */
export async function startSession(exchange: TestExchange, app: TestApp, more: object = {}): Promise<string> {
  const reply = await post(exchange, "/sdk/v1/init", {
    app: app.uuid,
    platform: "android",
    sdk_version: "1.0.0",
    install_id: randomUUID(),
    device: DEVICE,
    ...more,
  });
  if (reply.statusCode !== 200) throw new Error(`init replied ${reply.statusCode}: ${reply.body}`);
  return reply.json<{ session: string }>().session;
}

/** Requests a banner in the zone `main` unless given otherwise. */
export async function askForAd(
  exchange: TestExchange,
  session: string,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Reply<typeof sdkAd>> {
  const body = { session, zone: "main", format: "banner", device: DEVICE, ...more };
  const reply = await post(exchange, "/sdk/v1/ad", body, headers);
  if (reply.statusCode !== 200) throw new Error(`the ad request replied ${reply.statusCode}: ${reply.body}`);
  return sdkAd.reply.parse(reply.json());
}

/** A row of the events table. */
export interface EventRow {
  first_day: string;
  kind: string;
  invalid: string;
  revenue_micros: string;
  gross_micros: string;
  provider: string;
  country: string;
  zone: string;
  seconds: number;
}
