import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stateOf } from "../../server/src/areas/budgets/index.ts";
import { installedRedis, provideRedis } from "../../server/src/platform/testing/find-redis.ts";
import { startRedis } from "../../server/src/platform/testing/start-redis.ts";
import { sleep } from "../../server/src/platform/waiting.ts";
import { ExchangeLoad, letBuy, LOADED } from "../../server/src/testing/budgets/exchange-load.ts";
import { type SpentBefore, overspent, sumsThatDiffer } from "../../server/src/testing/budgets/money-faults.ts";
import { someMoney } from "../../server/src/testing/budgets/some-money.ts";
import type { Measurement, Outcome } from "./measurement.ts";
import { startPlatform } from "./platform-process.ts";
import { rowsOf } from "./stores.ts";
import { withStores } from "./workplace.ts";

const ADS = 1_000_000;
const PROCESSES = 4;
/** Of each kind: with a budget, with a daily budget, with a shared balance, and without a limit that matters. */
const CAMPAIGNS = 10;
const LIMITS = { budgetMicros: 8_000_000, dailyMicros: 6_000_000 };
const LITTLE_MICROS = 60_000_000;
/** What is left buys at a lower bid. */
const LOW_BID_MICROS = 500_000;
const LEASES_END_MS = 60 * 60_000;
const dollars = (micros: number) => `$${(micros / 1e6).toFixed(2)}`;
const times = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one));

/** Money spent over a limit by whole exchange processes that answer ad requests and take beacons, when one of them is killed. */
export const exchangeBudgets: Measurement = {
  name: "exchange-budgets",
  title: "Budgets shared by exchange processes",
  async run(say) {
    provideRedis();
    const path = installedRedis();
    if (path === undefined) return { figures: [], notes: ["Not measured: there is no redis-server."] };
    const redis = await startRedis(path);
    try {
      return await measure(redis.url, say);
    } finally {
      await redis.stop();
    }
  },
};

const measure = (redisUrl: string, say: (line: string) => void): Promise<Outcome> =>
  withStores(async ({ dir, stores }) => {
    const { pool, clickhouse } = stores;
    const { newAccount, newCampaign } = someMoney(pool);
    const [plenty, little] = [await newAccount(), await newAccount(LITTLE_MICROS)];
    const unlimited = await times(CAMPAIGNS, () => newCampaign(plenty));
    const campaigns = [
      ...(await times(CAMPAIGNS, () => newCampaign(plenty, { budgetMicros: LIMITS.budgetMicros }))),
      ...(await times(CAMPAIGNS, () => newCampaign(plenty, { dailyMicros: LIMITS.dailyMicros }))),
      ...(await times(CAMPAIGNS, () => newCampaign(little))),
      ...unlimited,
    ];
    await pool.query("UPDATE campaigns SET bid_micros = $2 WHERE id = ANY($1)", [unlimited, LOW_BID_MICROS]);
    await letBuy({ pool, clickhouse }, campaigns);
    const dataDir = join(dir, "data");
    const env = { ...stores.env, ...LOADED, EXCHANGES: String(PROCESSES), REDIS_URL: redisUrl };
    const platform = await startPlatform({ dataDir, env });
    const load = new ExchangeLoad({ url: platform.url, imps: 100, callers: 16, shown: 0.3, lost: 0.6 });
    const before: SpentBefore = new Map();
    const over: { limit: string; micros: number }[] = [];
    const look = async () => {
      for (const accountId of [plenty, little]) over.push(...(await overspent(pool, accountId, before)));
    };
    const began = performance.now();
    let isOver = false;
    const watch = async () => {
      for (let isKilled = false; !isOver; await sleep(50)) {
        await look();
        if (isKilled || load.returned < ADS / 2) continue;
        isKilled = true;
        process.kill(Number(await readFile(join(dataDir, "exchange-2", "platform.pid"), "utf8")), "SIGKILL");
        say(`a process was killed after ${load.returned} ads`);
      }
    };
    await Promise.all([load.run(ADS).finally(() => (isOver = true)), watch()]);
    const seconds = (performance.now() - began) / 1000;
    await platform.stop();
    await look();
    const differing = await sumsThatDiffer(pool);
    const states = [...(await stateOf(pool, campaigns, new Date(Date.now() + LEASES_END_MS))).values()];
    const stillHeld = states.reduce((sum, { leasedMicros }) => sum + leasedMicros, 0);
    const spent = states.reduce((sum, { totalMicros }) => sum + totalMicros, 0);
    const overMicros = over.reduce((sum, { micros }) => sum + micros, 0);
    const [stored] = await rowsOf<{ cost: number; counted: number; ids: number }>(
      clickhouse,
      `SELECT sum(cost_micros)::Float64 AS cost, countIf(invalid = '')::Float64 AS counted,
         uniqExactIf(event_id, invalid = '')::Float64 AS ids FROM events WHERE kind = 'impression'`,
    );
    const { cost = 0, counted = 0, ids = 0 } = stored ?? {};
    return {
      figures: [
        {
          what: `Spend over budget, daily budget or balance: 10^6 ads of ${PROCESSES} exchange processes, one killed with -9`,
          goal: "0",
          measured: `${overMicros} of ${dollars(spent)}`,
          reached: overMicros === 0 && differing.length === 0 && spent >= cost,
        },
        {
          what: "Held for ads of exchange processes when all leases have expired",
          goal: "0",
          measured: String(stillHeld),
          reached: stillHeld === 0,
        },
        {
          what: "Impressions that exchange processes counted again when they were sent again",
          goal: "0",
          measured: `${counted - ids} of ${counted}`,
          reached: counted > 0 && counted === ids,
        },
      ],
      notes: [
        `\`EXCHANGES=${PROCESSES}\` with PostgreSQL and Redis sell ${load.returned} ads of ${campaigns.length} campaigns of two accounts by OpenRTB, ` +
          `100 in a request, in ${seconds.toFixed(0)} s: 30% are shown, 60% are reported as lost, and nothing is heard of 10%. A tenth of the batches of ` +
          `events is sent again, whichever process gets them. One process is killed with -9 half-way and starts again; ${load.failed} calls were cut off or ` +
          `answered with 429 or 503 and repeated.`,
        `All limits (${[...before].length}) are compared with what is spent 20 times a second and at the end. PostgreSQL counted ${dollars(spent)}, the event ` +
          `store ${dollars(cost)}: PostgreSQL may only have more, by what the killed process billed and had not stored. Sums that are ` +
          `not the sum of their parts: ${differing.length}.`,
      ],
    };
  });
