import type { Pool } from "pg";
import type { NoHold } from "./budgets.ts";

/** A request for a lease. Repeated with the same id, it grants it once. */
export interface LeaseRequest {
  leaseId: string;
  campaignId: number;
  /** The amount that would do for a while, and the smallest that is of use. */
  micros: number;
  leastMicros: number;
}

export interface LeaseAnswer {
  /** 0 with the reason in `lack`. */
  grantedMicros: number;
  lack: Exclude<NoHold, "lease_pending"> | null;
  /** Null if there is no such campaign. */
  accountId: number | null;
  todayMicros: number;
  totalMicros: number;
}

/** Impressions of the same campaign, lease and price; those to take back count negatively. */
export interface SpendGroup {
  campaignId: number;
  leaseId: string;
  micros: number;
  count: number;
}

export interface SpendAnswer {
  billed: number;
  todayMicros: number;
  totalMicros: number;
}

/** The functions of migration 0016: every change of money is one statement there. */
export interface BudgetStore {
  lease(requests: readonly LeaseRequest[], lifeMs: number): Promise<LeaseAnswer[]>;
  shrink(leases: readonly { leaseId: string; heldMicros: number }[]): Promise<void>;
  /** Bills a batch of one UTC day (`2026-03-01`). A batch that is sent again counts once. */
  spend(batch: number, day: string, groups: readonly SpendGroup[]): Promise<SpendAnswer[]>;
}

interface Totals {
  nth: string;
  today: string;
  total: string;
}
const totalsOf = ({ today, total }: Totals) => ({ todayMicros: Number(today), totalMicros: Number(total) });
const UNKNOWN: LeaseAnswer = {
  grantedMicros: 0,
  lack: "budget_spent",
  accountId: null,
  todayMicros: 0,
  totalMicros: 0,
};

/** `now` replaces the store's clock, which is otherwise the only one that counts. */
export function budgetStore(pool: Pool, process: string, now?: () => number): BudgetStore {
  const moment = () => (now ? new Date(now()) : null);
  return {
    async lease(requests, lifeMs) {
      const { rows } = await pool.query<Totals & { granted: string; lack: LeaseAnswer["lack"]; owner: number }>({
        name: "lease_budgets",
        text: "SELECT * FROM lease_budgets($1, $2, $3, $4, $5::float8 * interval '1 ms', $6)",
        values: [
          requests.map(({ leaseId }) => leaseId),
          requests.map(({ campaignId }) => campaignId),
          requests.map(({ micros }) => micros),
          requests.map(({ leastMicros }) => leastMicros),
          lifeMs,
          moment(),
        ],
      });
      const answers: LeaseAnswer[] = requests.map(() => UNKNOWN);
      for (const row of rows)
        answers[Number(row.nth) - 1] = {
          grantedMicros: Number(row.granted),
          lack: row.lack,
          accountId: row.owner,
          ...totalsOf(row),
        };
      return answers;
    },
    async shrink(leases) {
      await pool.query({
        name: "shrink_leases",
        text: "SELECT shrink_leases($1, $2)",
        values: [leases.map(({ leaseId }) => leaseId), leases.map(({ heldMicros }) => heldMicros)],
      });
    },
    async spend(batch, day, groups) {
      const { rows } = await pool.query<Totals & { billed: number }>({
        name: "spend_budgets",
        text: "SELECT * FROM spend_budgets($1, $2, $3, $4, $5, $6, $7, $8) ORDER BY nth",
        values: [
          process,
          batch,
          day,
          groups.map(({ campaignId }) => campaignId),
          groups.map(({ leaseId }) => leaseId),
          groups.map(({ micros }) => micros),
          groups.map(({ count }) => count),
          moment(),
        ],
      });
      return rows.map((row) => ({ billed: row.billed, ...totalsOf(row) }));
    },
  };
}
