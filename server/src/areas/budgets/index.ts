import { randomBytes } from "node:crypto";
import type { Area } from "../../platform/area.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { connectPostgres } from "../../platform/postgres/connect-postgres.ts";
import { stateOf } from "./budget-state.ts";
import { budgetStore } from "./budget-store.ts";
import type { Budgets } from "./budgets.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { releaseHold } from "./lease.ts";
import { LimitChanges } from "./limit-changes.ts";
import { SpendQueue } from "./spend-queue.ts";

export { type BudgetState, stateOf } from "./budget-state.ts";
export { type AccountSpend, accountSpend } from "./account-spend.ts";
export { recordPastSpend } from "./past-spend.ts";
export { type Budgets, type Hold, LONGEST_HOLD_MS, type Spend } from "./budgets.ts";

export interface BudgetsDeps {
  postgresUrl: string;
  clock: Clock;
  log: Log;
  /** Replaces PostgreSQL's clock, which otherwise decides when leases and days end. */
  storeClock?: Clock;
}

export interface BudgetsArea extends Area, Budgets {
  /** Returns what is not held any more, as happens every few seconds. */
  returnUnheld(): Promise<void>;
}

/** What campaigns may spend, shared by all serving processes. */
export function budgetsArea({ postgresUrl, clock, log, storeClock }: BudgetsDeps): BudgetsArea {
  // Its own connections: billing never waits for a dashboard. One for spends, one for leases, one for looks.
  const { pool, close } = connectPostgres(postgresUrl, {
    max: 3,
    connectDeadlineMs: 2000,
    statementTimeoutMs: 10_000,
  });
  const process = randomBytes(9).toString("base64url");
  const store = budgetStore(pool, process, storeClock && (() => storeClock.now()));
  const keeper = new LeaseKeeper({
    store,
    process,
    clock,
    log,
    look: (campaignIds) => stateOf(pool, campaignIds, new Date(clock.now())),
  });
  const queue = new SpendQueue(store, (group, answer, day) => keeper.onSpent(group, answer, day));
  const changes = new LimitChanges(
    postgresUrl,
    {
      campaign: (id) => keeper.changed(id),
      account: (id) => keeper.accountChanged(id),
      all: () => keeper.allChanged(),
    },
    log,
  );
  return {
    name: "budgets",
    routes: () => undefined,
    hold: (campaignId, micros, expiresAtMs) => keeper.hold(campaignId, micros, expiresAtMs),
    release: releaseHold,
    spend: async (spends) => queue.add(spends, 1),
    async takeBack(spends) {
      await queue.add(spends, -1);
    },
    spentElsewhere: (leaseId, micros) => keeper.spentElsewhere(leaseId, micros),
    spentOf: (campaignId) => keeper.spentOf(campaignId),
    changed: (campaignId) => keeper.changed(campaignId),
    accountChanged: (accountId) => keeper.accountChanged(accountId),
    returnUnheld: () => keeper.returnUnheld(),
    async start() {
      await pool.query("DELETE FROM budget_processes WHERE at < now() - interval '1 day'");
      keeper.start();
      await changes.start();
    },
    async stop() {
      await changes.stop();
      await queue.drain();
      await keeper.stop();
      await close();
    },
  };
}
