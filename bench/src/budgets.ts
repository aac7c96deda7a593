import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateOf } from "../../server/src/areas/budgets/index.ts";
import { type FastClock, clockOf } from "../../server/src/testing/budgets/fast-clock.ts";
import { type Holder, Holders } from "../../server/src/testing/budgets/holders.ts";
import { type SpentBefore, overspent, sumsThatDiffer } from "../../server/src/testing/budgets/money-faults.ts";
import { someMoney } from "../../server/src/testing/budgets/some-money.ts";
import { migratePostgres } from "../../server/src/platform/migrate/migrate-postgres.ts";
import { connectPostgres } from "../../server/src/platform/postgres/connect-postgres.ts";
import { startPostgres } from "../../server/src/platform/postgres/start-postgres.ts";
import { sleep } from "../../server/src/platform/waiting.ts";
import type { Measurement } from "./measurement.ts";

const MIGRATIONS = fileURLToPath(new URL("../../server/migrations/postgres", import.meta.url));
const HOLDS = 1_000_000;
const PROCESSES = 4;
const CAMPAIGNS = 10;
const LEASE_LIFE_MS = 40 * 60_000;
const dollars = (micros: number) => `$${(micros / 1e6).toFixed(2)}`;
const times = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one));

/** Money spent over a limit by processes that share budgets, when one of them is killed. */
export const budgets: Measurement = {
  name: "budgets",
  title: "Budgets shared by processes",
  async run(say) {
    const dir = await mkdtemp(join(tmpdir(), "millrace-budgets-"));
    const server = await startPostgres({ dir, log: () => undefined });
    const { pool, close } = connectPostgres(server.url);
    try {
      await migratePostgres(pool, MIGRATIONS);
      const { newAccount, newCampaign } = someMoney(pool);
      const [plenty, little] = [await newAccount(), await newAccount(20_000_000)];
      const campaigns = [
        ...(await times(CAMPAIGNS, () => newCampaign(plenty))),
        ...(await times(CAMPAIGNS, () => newCampaign(plenty, { budgetMicros: 3_000_000 }))),
        ...(await times(CAMPAIGNS, () => newCampaign(plenty, { dailyMicros: 2_000_000 }))),
        ...(await times(CAMPAIGNS, () => newCampaign(little))),
      ];
      const holders = new Holders({ url: server.url, campaigns, atOnce: 20 });
      const first = await times(PROCESSES, () => holders.start(HOLDS / PROCESSES));
      // A minute a second: the day ends during the run, and the leases of the killed process expire.
      const clock: FastClock = { startMs: Date.parse("2026-03-01T23:45:00Z"), atMs: Date.now(), factor: 60 };
      holders.begin(clock);
      const began = performance.now();
      const before: SpentBefore = new Map();
      const over: { limit: string; micros: number }[] = [];
      const look = async () => {
        for (const accountId of [plenty, little]) over.push(...(await overspent(pool, accountId, before)));
      };
      const held = () => holders.all.reduce((sum, { counts }) => sum + counts.holds, 0);
      let victim: Holder | undefined = first[0];
      while (held() < HOLDS) {
        await look();
        if (victim && victim.counts.holds > HOLDS / PROCESSES / 2) {
          await victim.kill();
          await holders.start(HOLDS / PROCESSES - victim.counts.holds);
          say(`a process was killed after ${victim.counts.holds} holds of its own, and replaced`);
          victim = undefined;
        }
        await sleep(50);
      }
      const seconds = (performance.now() - began) / 1000;
      await holders.stop();
      await look();
      const differing = await sumsThatDiffer(pool);
      const later = new Date(clockOf(clock).now() + LEASE_LIFE_MS);
      const states = [...(await stateOf(pool, campaigns, later)).values()];
      const stillHeld = states.reduce((sum, { leasedMicros }) => sum + leasedMicros, 0);
      const spent = states.reduce((sum, { totalMicros }) => sum + totalMicros, 0);
      const told = holders.all.reduce((sum, { counts }) => sum + counts.billedMicros, 0);
      const used = [...before].filter(([limit]) => limit !== "balance").length;
      const overMicros = over.reduce((sum, { micros }) => sum + micros, 0);
      const { rows } = await pool.query<{ batches: number }>("SELECT sum(batch)::int AS batches FROM budget_processes");
      const lacks = holders.all.reduce((sum, { counts }) => sum + counts.lacks, 0);
      return {
        figures: [
          {
            what: "Spend over budget, daily budget or balance: 10^6 holds of 4 processes, one killed with -9",
            goal: "0",
            measured: `${overMicros} of ${dollars(spent)}`,
            reached: overMicros === 0 && differing.length === 0,
          },
          {
            what: "Held when all leases have expired",
            goal: "0",
            measured: String(stillHeld),
            reached: stillHeld === 0,
          },
        ],
        notes: [
          `${PROCESSES} processes hold prices of ${campaigns.length} campaigns of two accounts at random, ${held()} in ${seconds.toFixed(0)} s: 60% are ` +
            `released, 30% become impressions up to 30 minutes later, of which a sixth in another process, and 10% are forgotten. One process is killed with ` +
            `-9 half-way and replaced. The processes' clock and PostgreSQL's run a minute a second, so that the run passes midnight.`,
          `All limits (${used} of campaigns and their days, and two balances) are compared with what is spent 20 times a second and at the end. ` +
            `${lacks} more holds were refused because a limit was reached. The processes told of ${dollars(told)} billed; PostgreSQL counted ${dollars(spent)}, which may only be ` +
            `more, by what the killed process could not tell. Sums that are not the sum of their parts: ${differing.length}.`,
          `${rows[0]?.batches ?? 0} batches of impressions; PostgreSQL writes each of them durably.`,
        ],
      };
    } finally {
      await close();
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    }
  },
};
