import type {
  AdminRevenue,
  MonthRevenue,
  Query,
  RevenueGroup,
  RevenueRow,
  adminRevenue,
  monthRevenue,
} from "@millrace/contract";
import { dayOf } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { grouped } from "../../../platform/grouped.ts";
import type { ReadDeps } from "../payouts/read-payouts.ts";
import { type RevenueCell, type Side, isPartners, numbersOf } from "./cells.ts";
import { monthSteps } from "./month-steps.ts";
import { readCells } from "./read-cells.ts";
import { addSteps, threeNumbers } from "./three-numbers.ts";

export interface RevenueDeps extends ReadDeps {
  /** The names of partners and other providers by their ids. */
  providerNames(): Promise<ReadonlyMap<string, string>>;
}

interface Scope {
  accountId: number | null;
  month: string | undefined;
  by: RevenueGroup;
  provider: string | null;
}

/** A publisher's month: what our events say of it, what partners report, what was paid, and every step between them. */
export async function readMonthRevenue(
  deps: RevenueDeps,
  accountId: number,
  { month, by }: Query<typeof monthRevenue>,
): Promise<MonthRevenue> {
  return snapshot(deps.pool, async (client) => {
    const read = await readRevenue(deps, client, { accountId, month, by, provider: null }, "publisher");
    const { numbers, ...rest } = read;
    const { steps, paidOn, paidWith } = await monthSteps(deps, client, {
      accountId,
      month: rest.month,
      traffic: numbers,
    });
    return { ...threeNumbers(steps), ...rest, paid_on: paidOn, ...(paidWith !== null && { paid_with: paidWith }) };
  });
}

/** What a month's traffic of all publishers was sold for, what partners report of it, what publishers were paid, and every step between. */
export async function readAdminRevenue(
  deps: RevenueDeps,
  { month, by, partner }: Query<typeof adminRevenue>,
): Promise<AdminRevenue> {
  return snapshot(deps.pool, async (client) => {
    const scope = { accountId: null, month, by, provider: partner ?? null };
    const { numbers, ...rest } = await readRevenue(deps, client, scope, "platform");
    return { ...threeNumbers(numbers), ...rest };
  });
}

/** A posting that is booked between two queries would be in one of them only. */
const snapshot = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return work(client);
  });

async function readRevenue(deps: RevenueDeps, client: PoolClient, scope: Scope, side: Side) {
  const { accountId, by, provider } = scope;
  const months = await monthsOf(client, accountId);
  const month = scope.month ?? months[0] ?? dayOf(deps.clock.now()).slice(0, 7);
  const cells = await readCells(client, { month, accountId, provider });
  const partners = cells.filter((cell) => isPartners(cell.provider) && cell.grossMicros !== 0n);
  const usual = {
    gross: partners.reduce((sum, { grossMicros }) => sum + grossMicros, 0n),
    revenue: partners.reduce((sum, { revenueMicros }) => sum + revenueMicros, 0n),
  };
  const nameOf = await namesBy(deps, client, by, cells);
  const groups = [...grouped(cells, (cell) => KEYS[by](cell))].map(([id, own]) => ({
    id,
    steps: addSteps(own.map((cell) => numbersOf(cell, side, usual))),
  }));
  const rows = groups.map(({ id, steps }): RevenueRow => ({ ...nameOf(id), ...threeNumbers(steps) }));
  const byPartner = [...grouped(partners, (cell) => cell.provider).values()];
  return {
    month,
    months,
    by,
    partners: byPartner.length,
    reported_partners: byPartner.filter((own) => own.every(({ isStated }) => isStated)).length,
    // The newest day first, as in every table of days; else the largest.
    rows: by === "day" ? rows.toReversed() : rows.toSorted((one, other) => other.estimated - one.estimated),
    numbers: addSteps(groups.map(({ steps }) => steps)),
  };
}

const KEYS = {
  partner: ({ provider }) => provider,
  app: ({ appId }) => String(appId),
  day: ({ day }) => day,
} as const satisfies Record<RevenueGroup, (cell: RevenueCell) => string>;

const NO_PARTNER = "Not of one partner";

async function namesBy(
  { providerNames }: RevenueDeps,
  client: PoolClient,
  by: RevenueGroup,
  cells: readonly RevenueCell[],
): Promise<(key: string) => Pick<RevenueRow, "id" | "name" | "deleted">> {
  if (by === "day") return (day) => ({ id: day, name: day });
  if (by === "partner") {
    const names = await providerNames();
    return (id) => ({ id, name: id === "" ? NO_PARTNER : (names.get(id) ?? id) });
  }
  const { rows } = await client.query<{ id: number; uuid: string; name: string; deleted: boolean }>(
    "SELECT id, uuid, name, deleted_at IS NOT NULL AS deleted FROM apps WHERE id = ANY($1)",
    [[...new Set(cells.map(({ appId }) => appId))]],
  );
  const apps = new Map(
    rows.map(({ id, uuid, name, deleted }) => [String(id), { id: uuid, name, ...(deleted && { deleted }) }]),
  );
  return (id) => apps.get(id) ?? { id, name: `App ${id}` };
}

/** The months with anything earned, the newest first. */
async function monthsOf(client: PoolClient, accountId: number | null): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `SELECT DISTINCT to_char(p.for_day, 'YYYY-MM') AS month FROM ledger_postings p
     WHERE p.kind = 'accrual' AND ($1::integer IS NULL OR EXISTS (
       SELECT FROM ledger_lines l WHERE l.posting_id = p.id AND l.account_id = $1 AND l.book = 'publisher_balance'))
     ORDER BY month DESC`,
    [accountId],
  );
  return rows.map(({ month }) => month);
}
