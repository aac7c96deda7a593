import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testPostgres } from "../../platform/testing/stores.ts";
import { stateOf } from "./budget-state.ts";
import type { Hold, Spend } from "./budgets.ts";
import { movableClock, someBudgets } from "./testing/some-budgets.ts";
import { type Limits, someMoney } from "../../testing/budgets/some-money.ts";
import { type SpentBefore, overspent, sumsThatDiffer } from "../../testing/budgets/money-faults.ts";

const pg = await testPostgres();
const { newAccount, newCampaign, edit, refill } = someMoney(pg.pool);
const clock = movableClock(Date.parse("2026-03-01T23:30:00Z"));
const PROCESSES = 3;
const MINUTE = 60_000;

type Process = ReturnType<typeof someBudgets>;
interface World {
  accountId: number;
  campaigns: number[];
  processes: Process[];
  killed: Process[];
  holds: Hold[];
  billed: Spend[];
}
type Step = (world: World) => Promise<void> | void;

const some = fc.nat(PROCESSES - 1);
const money = fc.integer({ min: 0, max: 40_000 });
const of = <T>(items: readonly T[], nth: number): T | undefined => items[nth % Math.max(1, items.length)];

const hold = fc.tuple(some, some, fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 30 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: hold.map(([process, campaign, micros, minutes]): Step => async (world) => {
      const id = of(world.campaigns, campaign) ?? 0;
      for (let n = 0; n < 5; n++) {
        const held = await of(world.processes, process)?.holdNow(id, micros, minutes * MINUTE);
        if (typeof held === "object") world.holds.push(held);
      }
    }),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(some, fc.nat(), fc.integer({ min: 1, max: 8 }))
      .map(([process, from, count]): Step => async (world) => {
        // Some impressions are replayed, for which nothing may be held.
        const spends = world.holds.slice(from % (world.holds.length + 1)).slice(0, count);
        const all = spends.map(({ campaignId, leaseId, micros }) => ({
          campaignId,
          leaseId,
          micros,
          atMs: clock.now(),
        }));
        const results = (await of(world.processes, process)?.spend(all)) ?? [];
        world.billed.push(...all.filter((_, nth) => results[nth]));
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(some, fc.nat()).map(([process, nth]): Step => async (world) => {
      const spend = of(world.billed, nth);
      if (!spend) return;
      world.billed.splice(nth % world.billed.length, 1);
      await of(world.processes, process)?.takeBack([spend]);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(some, fc.nat()).map(([process, nth]): Step => (world) => {
      const held = of(world.holds, nth);
      if (held) of(world.processes, process)?.release(held);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(some, money, money).map(([campaign, budgetMicros, dailyMicros]): Step => async (world) => {
      const id = of(world.campaigns, campaign) ?? 0;
      await edit(id, { budgetMicros, dailyMicros: dailyMicros + 1 });
      for (const process of world.processes) process.changed(id);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map((micros): Step => async ({ accountId, processes }) => {
      await refill(accountId, micros);
      for (const process of processes) process.accountChanged(accountId);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((minutes): Step => async (world) => {
      clock.offsetMs += minutes * MINUTE;
      for (const process of world.processes) await process.returnUnheld();
    }),
  },
  {
    // As after a kill: its leases stay until they expire.
    weight: 1,
    arbitrary: some.map((nth): Step => (world) => {
      world.killed.push(...world.processes.splice(nth, 1, someBudgets(pg.url, clock)));
    }),
  },
);
const limits: fc.Arbitrary<Limits> = fc.record({ budgetMicros: money, dailyMicros: money.map((micros) => micros + 1) });

test("in every order of events, nothing is spent over a limit, and all sums agree", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(limits, limits),
      money,
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (two, balance, steps) => {
        const accountId = await newAccount(balance);
        const campaigns = [await newCampaign(accountId, two[0]), await newCampaign(accountId, two[1])];
        const processes = Array.from({ length: PROCESSES }, () => someBudgets(pg.url, clock));
        const world: World = { accountId, campaigns, processes, killed: [], holds: [], billed: [] };
        const before: SpentBefore = new Map();
        for (const act of steps) {
          await act(world);
          expect(await overspent(pg.pool, accountId, before)).toEqual([]);
        }
        expect(await sumsThatDiffer(pg.pool)).toEqual([]);
        const states = await stateOf(pg.pool, campaigns, new Date(clock.now()));
        for (const id of campaigns) {
          const micros = world.billed.filter(({ campaignId }) => campaignId === id).map((spend) => spend.micros);
          expect(states.get(id)?.totalMicros).toBe(micros.reduce((sum, one) => sum + one, 0));
        }
        for (const process of world.processes) await process.stop?.();
        // A killed process's last question may still be answered, with a lease that is new then.
        const leased = async (): Promise<number[]> => {
          clock.offsetMs += 40 * MINUTE;
          const later = await stateOf(pg.pool, campaigns, new Date(clock.now()));
          return campaigns.map((id) => later.get(id)?.leasedMicros ?? 0);
        };
        await expect.poll(leased, { interval: 20 }).toEqual([0, 0]);
        // Only their connections are left.
        for (const process of world.killed) await process.stop?.();
      },
    ),
    { numRuns: 25 },
  );
});
