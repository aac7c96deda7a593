import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stateOf } from "./areas/budgets/index.ts";
import { newToken } from "./platform/secrets/token.ts";
import { sleep } from "./platform/waiting.ts";
import { testRedis } from "./platform/testing/test-redis.ts";
import { testStores } from "./platform/testing/stores.ts";
import { ExchangeLoad, letBuy, LOADED } from "./testing/budgets/exchange-load.ts";
import { type SpentBefore, overspent, sumsThatDiffer } from "./testing/budgets/money-faults.ts";
import { someMoney } from "./testing/budgets/some-money.ts";
import { millraceCommands } from "./testing/millrace-commands.ts";

const stores = await testStores();
const redis = await testRedis();
const { run, dirOf } = await millraceCommands({
  DATABASE_URL: stores.pg.url,
  CLICKHOUSE_URL: stores.clickhouse.url,
  MILLRACE_SECRET: newToken(),
});
const { pool } = stores.pg;
const { newAccount, newCampaign } = someMoney(pool);
const ADS = 12_000;
/** Of a budget, a day and a balance. */
const LIMITS = [600_000, 500_000, 700_000] as const;
/** Leases live a few minutes longer than the longest hold. */
const LEASES_END_MS = 60 * 60_000;

describe.skipIf(!redis)("EXCHANGES=4", () => {
  test(
    "four exchange processes, one of them killed, sell all of a budget, a day and a balance, and never more",
    { timeout: 300_000 },
    async () => {
      const [plenty, little] = [await newAccount(), await newAccount(LIMITS[2])];
      const limited = [
        await newCampaign(plenty, { budgetMicros: LIMITS[0] }),
        await newCampaign(plenty, { dailyMicros: LIMITS[1] }),
        await newCampaign(little),
      ];
      const campaigns = [...limited, await newCampaign(plenty)];
      // The one without a limit that matters buys what the others leave.
      await pool.query("UPDATE campaigns SET bid_micros = 500000 WHERE id = $1", [campaigns.at(-1)]);
      await letBuy({ pool, clickhouse: stores.clickhouse }, campaigns);
      const env = { EXCHANGES: "4", REDIS_URL: redis?.url ?? "", ...LOADED };
      const platform = run("four", ["start"], env);
      const load = new ExchangeLoad({ url: await platform.ready(), imps: 20, callers: 16, shown: 0.5, lost: 0.45 });
      const before: SpentBefore = new Map();
      const over: unknown[] = [];
      const look = async () => {
        for (const accountId of [plenty, little]) over.push(...(await overspent(pool, accountId, before)));
      };
      const killHalfWay = async () => {
        while (load.returned < ADS / 2) {
          await look();
          await sleep(50);
        }
        process.kill(Number(await readFile(join(dirOf("four"), "exchange-2", "platform.pid"), "utf8")), "SIGKILL");
      };
      await Promise.all([load.run(ADS), killHalfWay()]);
      // The last losses gave money back after the last request. These requests buy with it.
      await load.run(ADS + ADS / 4);
      // What the killed one has acknowledged waits in its journal until it has started again.
      const stored = async () => (await storedImpressions())?.rows ?? 0;
      await expect.poll(stored, { timeout: 120_000, interval: 500 }).toBeGreaterThanOrEqual(load.acknowledged);
      // What other processes took of the killed one's claims is settled when it has started again.
      expect(await platform.stop()).toBe(0);
      await look();
      expect([over, await sumsThatDiffer(pool)]).toEqual([[], []]);

      const states = await stateOf(pool, campaigns, new Date(Date.now() + LEASES_END_MS));
      expect([...states.values()].map(({ leasedMicros }) => leasedMicros)).toEqual([0, 0, 0, 0]);
      // What is not spent of a limit is held for ads that nothing was heard of, and in what the killed process had leased.
      const now = await stateOf(pool, limited, new Date());
      for (const [nth, limit] of LIMITS.entries()) {
        const { totalMicros = 0, leasedMicros = 0 } = now.get(limited[nth] ?? 0) ?? {};
        expect(limit - totalMicros - leasedMicros).toBeLessThan(limit / 20);
        expect(totalMicros).toBeGreaterThan(limit / 2);
      }

      // None counts twice. The killed process can have stored some more than it answered.
      const impressions = await storedImpressions();
      expect(impressions?.ids).toBe(impressions?.counted);
      const spent = [...states.values()].reduce((sum, { totalMicros }) => sum + totalMicros, 0);
      expect(spent).toBeGreaterThanOrEqual(impressions?.cost ?? 0);
      expect(spent - (impressions?.cost ?? 0)).toBeLessThan(spent / 20);
    },
  );
});

async function storedImpressions() {
  const found = await stores.clickhouse.read.query({
    query: `SELECT count()::Float64 AS rows, countIf(invalid = '')::Float64 AS counted,
              uniqExactIf(event_id, invalid = '')::Float64 AS ids, sum(cost_micros)::Float64 AS cost
            FROM events WHERE kind = 'impression' AND invalid != 'replayed'`,
    format: "JSONEachRow",
  });
  const [row] = await found.json<{ rows: number; counted: number; ids: number; cost: number }>();
  return row;
}
