import { afterAll, afterEach, beforeEach } from "vitest";
import { sleep } from "../../../platform/waiting.ts";
import type { TestStores } from "../../../platform/testing/stores.ts";
import { anAdvertiser } from "../../campaigns/testing/an-advertiser.ts";
import { insertApp, removeDir, startExchange, type TestApp, type TestExchange } from "./start-exchange.ts";

/** The moment of auctions unless a test sets another: a Tuesday. */
export const NOON = Date.parse("2026-03-03T12:00:00Z");

type ExchangeOptions = NonNullable<Parameters<typeof startExchange>[1]>;

/** An advertiser whose campaigns are approved at once, and a running exchange that buys for them. */
export async function campaignMarket(stores: TestStores) {
  const advertiser = await anAdvertiser(stores);
  // A campaign starts in the future when it is added.
  advertiser.at.clock.offsetMs = Date.parse("2025-12-01T00:00:00Z") - Date.now();
  const at = { country: "DE" } as { exchange: TestExchange; app: TestApp; country: string };
  const dirs = new Set<string>();

  async function start(options: ExchangeOptions = {}): Promise<void> {
    const offsetMs = at.exchange?.clock.offsetMs ?? 0;
    at.exchange = await startExchange(stores, { geo: () => at.country, buysForCampaigns: true, offsetMs, ...options });
    dirs.add(at.exchange.dataDir);
  }

  beforeEach(async () => {
    await stores.pg.pool.query("TRUNCATE partners, apps RESTART IDENTITY CASCADE");
    await stores.pg.pool.query("TRUNCATE campaigns CASCADE");
    for (const table of ["events", "auctions", "traces", "campaign_misses"])
      await stores.clickhouse.write.command({ query: `TRUNCATE TABLE ${table}` });
    at.app = await insertApp(stores, { bundleId: "com.example.game" });
    at.country = "DE";
    await start();
    at.exchange.clock.offsetMs = NOON - Date.now();
  });
  afterEach(() => at.exchange.stop());
  afterAll(async () => {
    for (const dir of dirs) await removeDir(dir);
  });

  const fields = (some: object = {}) =>
    advertiser.someFields({
      start_date: "2026-01-01",
      end_date: null,
      days: [1, 2, 3, 4, 5, 6, 7],
      day_activity_from: "00:00",
      day_activity_to: "23:59",
      network: "any",
      country: ["DE", "US"],
      platform: ["iphone", "ipad", "android"],
      ios: { all: true, min: "12", max: "26" },
      android: { all: true, min: "5", max: "16" },
      limit: [],
      ...some,
    });

  /** Waits until the campaign's first money is leased, and its impressions of the day are read. */
  async function isReady(id: number): Promise<void> {
    const { budgets, clock } = at.exchange;
    for (;;) {
      const hold = budgets?.hold(id, 1000, clock.now() + 1000);
      if (typeof hold === "object") budgets?.release(hold);
      if (hold !== "lease_pending") return;
      await sleep(5);
    }
  }

  return Object.assign(at, {
    stores,
    advertiser,
    fields,
    isReady,
    /** Adds a campaign by the API, approves its creatives, and lets the exchange see it. */
    async campaign(some: object = {}, accountId = advertiser.me.accountId): Promise<{ id: number; uuid: string }> {
      const uuid = await advertiser.newCampaign(accountId, fields(some));
      const { rows } = await stores.pg.pool.query<{ id: number }>("SELECT id FROM campaigns WHERE uuid = $1", [uuid]);
      const id = rows[0]?.id ?? 0;
      await stores.pg.pool.query("UPDATE creatives SET moderation = 'approved' WHERE campaign_id = $1", [id]);
      await at.exchange.exchange.reloadConfig();
      await isReady(id);
      return { id, uuid };
    },
    /** Stops the exchange and starts another at the same time of day. */
    async restart(options: ExchangeOptions = {}): Promise<void> {
      await at.exchange.stop();
      await start(options);
    },
  });
}
