import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { SharedRedis } from "../../platform/redis/shared-redis.ts";
import { testStores } from "../../platform/testing/stores.ts";
import { testRedis } from "../../platform/testing/test-redis.ts";
import { settleLeftClaims } from "./leftovers.ts";
import { campaignMarket } from "./testing/campaign-market.ts";
import { someMoney } from "../../testing/budgets/some-money.ts";
import { bidsAt, startBidder } from "./testing/start-bidder.ts";
import {
  addPartner,
  askForAd,
  type EventRow,
  fire,
  removeDir,
  startExchange,
  startSession,
  type TestExchange,
} from "./testing/start-exchange.ts";

const server = await testRedis();
const IS_READY = { name: "isReady", lua: "return redis.call('EXISTS', KEYS[2])" };
describe.skipIf(!server)("two exchange processes", async () => {
  const market = await campaignMarket(await testStores());
  let two: TestExchange;
  let shared: SharedRedis[] = [];

  /** The market's exchange is one of them. */
  const both = () => [market.exchange, two] as const;

  function connection(): SharedRedis {
    const redis = new SharedRedis({
      url: server?.url ?? "",
      clock: { now: () => Date.now() + market.exchange.clock.offsetMs },
      log: silentLog,
      prefix: `${expect.getState().currentTestName}:`,
    });
    shared.push(redis);
    return redis;
  }

  beforeEach(async () => {
    shared = [];
    const [one, other] = [connection(), connection()];
    await Promise.all([one.connect(), other.connect()]);
    await market.restart({ sharing: { redis: one, name: "one" } });
    const { clock } = market.exchange;
    two = await startExchange(market.stores, {
      geo: () => "DE",
      buysForCampaigns: true,
      sharing: { redis: other, name: "two" },
      offsetMs: clock.offsetMs,
    });
    // What Redis does not have is restored first.
    while (!(await isShared())) await pause(20);
  });
  afterEach(async () => {
    await two.stop();
    await removeDir(two.dataDir);
    // The market stops its own after this.
    for (const redis of shared) setTimeout(() => redis.close(), 5000).unref();
  });

  const isShared = async () => (await shared[0]?.run(IS_READY, ["seen:ready"], [])) === 1;

  async function takenBy(exchange: TestExchange, url: string): Promise<void> {
    await expect.poll(async () => (await fire(exchange, url)).statusCode, { interval: 20 }).toBe(200);
  }
  const drained = () => Promise.all(both().map(({ exchange }) => exchange.drain()));

  async function rows(): Promise<EventRow[]> {
    await two.statistics.flush();
    return (await market.exchange.rows<EventRow>("events")).filter(({ kind }) => kind !== "session");
  }

  async function bidder(id: string, price: number) {
    const started = await startBidder(bidsAt(price));
    onTestFinished(() => started.close());
    await addPartner(market.stores, market.app, id, started.endpoint);
    await Promise.all(both().map(({ exchange }) => exchange.reloadConfig()));
    return started;
  }

  test("a replayed beacon counts once, and the bidders' notices go out, whichever process gets it", async () => {
    const [high, low] = [await bidder("high", 2), await bidder("low", 1)];
    const { ads } = await askForAd(market.exchange, await startSession(market.exchange, market.app));
    const url = ads[0]?.beacons.impression ?? "";
    await takenBy(two, url);
    for (let nth = 0; nth < 3; nth++) await Promise.all(both().map((exchange) => takenBy(exchange, url)));
    // Another ad of the same place comes to the process that did not get the first one.
    await takenBy(market.exchange, ads[1]?.beacons.impression ?? "");
    await drained();
    const counted = (await rows()).filter(({ kind, invalid }) => kind === "impression" && invalid === "");
    expect(counted.map(({ provider }) => provider)).toEqual(["high"]);
    const kinds = (notices: string[]) => notices.map((path) => /\w+/.exec(path)?.[0]);
    await expect.poll(() => [kinds(high.notices), kinds(low.notices)]).toEqual([["win", "billing"], ["loss"]]);
    // The click comes to the other process than the impression.
    await takenBy(market.exchange, ads[0]?.beacons.click ?? "");
    expect((await rows()).filter(({ kind }) => kind === "click").map(({ invalid }) => invalid)).toEqual([""]);
  });

  test(
    "one of two ads of a place is paid, also when Redis comes back empty in between",
    { timeout: 60_000 },
    async () => {
      await bidder("high", 2);
      await bidder("low", 1);
      const { ads } = await askForAd(market.exchange, await startSession(market.exchange, market.app));
      await takenBy(market.exchange, ads[0]?.beacons.impression ?? "");
      await server?.kill();
      await server?.start();
      const url = ads[1]?.beacons.impression ?? "";
      await expect.poll(async () => (await fire(two, url)).statusCode, { interval: 20, timeout: 20_000 }).toBe(200);
      await drained();
      const shown = (await rows()).filter(({ kind }) => kind === "impression");
      expect(shown.map(({ provider, invalid }) => [provider, invalid])).toEqual([
        ["high", ""],
        ["low", "other_ad_shown"],
      ]);
    },
  );

  test("one of two ads of a place is paid, also when the process is killed before it says that the first is stored", async () => {
    await bidder("high", 2);
    await bidder("low", 1);
    const { ads } = await askForAd(market.exchange, await startSession(market.exchange, market.app));
    const { events, recentEventIds } = market.exchange.statistics;
    const { appendAll } = events;
    events.appendAll = async (table, list) => {
      await appendAll(table, list);
      shared[0]?.close();
    };
    onTestFinished(() => void (events.appendAll = appendAll));
    await fire(market.exchange, ads[0]?.beacons.impression ?? "");
    const url = ads[1]?.beacons.impression ?? "";
    expect((await fire(two, url)).statusCode).toBe(503);
    await market.exchange.statistics.flush();
    const redis = connection();
    await redis.connect();
    await settleLeftClaims("one", redis, recentEventIds, market.exchange.clock.now());
    await takenBy(two, url);
    const shown = (await rows()).filter(({ kind }) => kind === "impression");
    expect(shown.map(({ provider, invalid }) => [provider, invalid])).toEqual([
      ["high", ""],
      ["low", "other_ad_shown"],
    ]);
  });

  test(
    "a frequency cap holds over both, also when Redis is away and comes back empty",
    { timeout: 90_000 },
    async () => {
      const { id } = await market.campaign({ limit: [{ impressions: 2, period: "day", per: "user" }] });
      await two.exchange.reloadConfig();
      const sessions = await Promise.all(
        both().map((exchange) => startSession(exchange, market.app, { install_id: DEVICE })),
      );
      const ask = async (nth: 0 | 1) =>
        (await askForAd(both()[nth], sessions[nth] ?? "")).ads.find(({ provider }) => provider === "campaigns");
      /** The first ad waits for a lease, and for earlier impressions. */
      const ad = async (nth: 0 | 1) => {
        for (let tries = 0; tries < 300; tries++) {
          const found = await ask(nth);
          if (found) return found;
          await pause(20);
        }
        throw new Error("the campaign does not bid");
      };
      const none = async () => {
        for (let tries = 0; tries < 20; tries++) expect([await ask(0), await ask(1)]).toEqual([undefined, undefined]);
      };
      const [first, second] = [await ad(0), await ad(1)];
      await none();
      await takenBy(two, first.beacons.impression);
      await server?.kill();
      // Nothing is acknowledged that could count twice, and no cap is exceeded.
      expect((await fire(two, second.beacons.impression)).statusCode).toBe(503);
      expect((await fire(two, first.beacons.impression)).statusCode).not.toBe(503);
      await none();
      await server?.start();
      await takenBy(market.exchange, second.beacons.impression);
      await takenBy(market.exchange, first.beacons.impression);
      // Another device gets the campaign's ads from both again, so that the caps' counts are read.
      for (const exchange of both()) {
        const other = await startSession(exchange, market.app, { install_id: OTHER_DEVICE });
        const providers = async () => (await askForAd(exchange, other)).ads.map(({ provider }) => provider);
        await expect.poll(providers).toContain("campaigns");
      }
      await none();
      const counted = (await rows()).filter(({ invalid }) => invalid === "");
      expect(counted.map(({ kind }) => kind)).toEqual(["impression", "impression"]);
      const spent = await market.stores.pg.pool.query<{ spent: string }>(
        "SELECT spent_micros AS spent FROM campaign_budgets WHERE campaign_id = $1",
        [id],
      );
      const sum = counted.reduce(
        (all, row) => all + Number((row as EventRow & { cost_micros: string }).cost_micros),
        0,
      );
      expect(Number(spent.rows[0]?.spent)).toBe(sum);
    },
  );

  test("at a balance of zero an advertiser's campaigns stop in both within a second, and nothing more is spent", async () => {
    const { pool } = market.stores.pg;
    const { advertiser } = market;
    const accountId = await advertiser.at.newAccount({ balance: 50 * PRICE + REST });
    const creatives = [advertiser.someCreative({ image_url: await advertiser.imageOf(accountId) })];
    await market.campaign({ creatives }, accountId);
    await two.exchange.reloadConfig();
    const sessions = await Promise.all(both().map((exchange) => startSession(exchange, market.app)));
    /** The campaign's ad in the answer of each process. */
    const ads = () =>
      Promise.all(
        both().map(async (exchange, nth) =>
          (await askForAd(exchange, sessions[nth] ?? "")).ads.find(({ provider }) => provider === "campaigns"),
        ),
      );
    const left = async () =>
      Number(
        (
          await pool.query<{ left: string }>(
            "SELECT ledger_balance($1) - spent_micros AS left FROM account_budgets WHERE account_id = $1",
            [accountId],
          )
        ).rows[0]?.left,
      );
    const stopsWithinASecond = async () => {
      await pause(1000);
      for (let tries = 0; tries < 10; tries++) expect(await ads()).toEqual([undefined, undefined]);
    };
    /** Shows what both return, each at the other, until less than an impression is left. */
    const spendAll = async () => {
      while ((await left()) >= PRICE) {
        const [one, other] = await ads();
        if (!one && !other) await pause(20);
        if (one) await fire(two, one.beacons.impression);
        if (other) await fire(market.exchange, other.beacons.impression);
      }
    };
    await spendAll();
    await stopsWithinASecond();
    expect(await left()).toBe(REST);

    // A refill starts them again. What takes it away stops them, as it stops those who have money in their leases.
    const { refill } = someMoney(pool);
    await refill(accountId, 1_000_000);
    await expect.poll(async () => (await ads()).every(Boolean)).toBe(true);
    await pool.query(
      `WITH posting AS (
         INSERT INTO ledger_postings (reference, kind, at, on_day) VALUES ('taken back', 'return', now(), now()) RETURNING id
       )
       INSERT INTO ledger_lines (posting_id, line, book, account_id, amount_micros)
       SELECT id, 0, 'campaign_balance', $1::integer, $2::bigint FROM posting
       UNION ALL SELECT id, 1, 'campaign_costs', $1::integer, -$2::bigint FROM posting`,
      [accountId, await left()],
    );
    await stopsWithinASecond();
    expect(await left()).toBe(0);
  });

  test("nothing in Redis names a device, and every key has a lifetime", async () => {
    await bidder("buyer", 2);
    const device = "0b5e0e5e-77aa-4c2b-9b1c-0123456789ab";
    const session = await startSession(market.exchange, market.app, { install_id: device });
    const from = { "x-forwarded-for": "203.0.113.77" };
    const { ads } = await askForAd(market.exchange, session, {}, from);
    await takenBy(two, ads[0]?.beacons.impression ?? "");
    await pause(500);
    const redis = shared[0]?.reader(1000);
    await redis?.connect();
    const entries = (await redis?.eval(EVERY_KEY, 0)) as [key: string, dump: string, lifetimeMs: number][];
    redis?.disconnect();
    const all = entries.flatMap(([key, dump]) => [key, dump]);
    // The epoch says which others are in force.
    const lifetimes = entries.filter(([key]) => !key.endsWith(":epoch")).map(([key, , ms]) => `${key} ${ms}`);
    expect(lifetimes.filter((one) => !/ \d+$/.test(one))).toEqual([]);
    expect(lifetimes.length).toBeGreaterThan(2);
    expect(all.filter((text) => text.includes(device) || text.includes("203.0.113"))).toEqual([]);
  });
});

/** In one step: a key cannot expire between being listed and being read. */
const EVERY_KEY = `local all = {}
  for _, key in ipairs(redis.call("KEYS", "*")) do
    all[#all + 1] = { key, redis.call("DUMP", key), redis.call("PTTL", key) }
  end
  return all`;
/** Of one impression of the market's campaigns, and what is left of a balance when no more can be bought. */
const PRICE = 1250;
const REST = 700;
const DEVICE = "3f1c7d52-9e55-4f6d-8a51-aaaaaaaaaaaa";
const OTHER_DEVICE = "3f1c7d52-9e55-4f6d-8a51-bbbbbbbbbbbb";
