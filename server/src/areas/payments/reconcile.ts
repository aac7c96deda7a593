import type { DriftKind } from "@millrace/contract";
import { type DayRange, addDays, dayOf, eachDay } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import type { BookedDays } from "../statistics/index.ts";
import { type AccrualDeps, accrue, lastDayOver } from "./accrual.ts";
import { type Owners, type Sale, bookedSales, ownersOf } from "./booked-sales.ts";
import { PROVEN_WITHIN_DAYS, returnUnprovenSpend } from "./unproven-spend.ts";

export interface ReconcileDeps {
  pool: Pool;
  clock: Clock;
  log: Log;
  books: Pick<BookedDays, "counted">;
  /** How many days single events are kept at least. */
  keptDays: number;
  /** Told how many differences are new. */
  tellAdmins(drifts: number): Promise<void>;
}

/** An account's books of a day, in micro-dollars, where they are not what was counted. */
export interface Drift {
  day: string;
  accountId: number;
  what: DriftKind;
  countedMicros: bigint;
  bookedMicros: bigint;
}

const LOOK_BACK_DAYS = 30;

/** The first day that is kept whole. */
const firstKept = ({ clock, keptDays }: Pick<ReconcileDeps, "clock" | "keptDays">): string =>
  addDays(lastDayOver(clock), 2 - keptDays);

/** The days that can be counted again: those over of which every event is kept. */
export function countableDays(deps: Pick<ReconcileDeps, "clock" | "keptDays">): DayRange {
  const de = lastDayOver(deps.clock);
  const [first, kept] = [addDays(de, 1 - LOOK_BACK_DAYS), firstKept(deps)];
  return { ds: first > kept ? first : kept, de };
}

/**
 * Counts the last days anew from single events, and earlier ones that still differ as long as their events are kept. Compares them with
 * the ledger account by account, and keeps what it found. Days that differ are given to `bookAgain` and counted once more before that: their
 * events may have arrived after they were booked. Resolves with the drifts: none if events, ledger and campaigns' budgets agree to the
 * micro-dollar.
 */
export async function reconcile(
  deps: ReconcileDeps,
  bookAgain?: (days: readonly string[]) => Promise<void>,
): Promise<Drift[]> {
  const { pool, clock, log } = deps;
  const range = countableDays(deps);
  const older = await driftingDays(pool, range.ds);
  const kept = older.filter((day) => day >= firstKept(deps)).map(singleDay);
  let figures = await figuresOf(deps, [...kept, range]);
  const differing = new Set(driftsOf(figures).map(({ day }) => day));
  if (bookAgain && differing.size > 0) {
    await bookAgain([...differing].toSorted());
    const again = await figuresOf(deps, [...differing].map(singleDay));
    const others = (sales: readonly Sale[]) => sales.filter(({ day }) => !differing.has(day));
    figures = {
      counted: [...others(figures.counted), ...again.counted],
      booked: [...others(figures.booked), ...again.booked],
      owners: await ownersOf(pool, [...figures.counted, ...figures.booked, ...again.counted, ...again.booked]),
    };
  }
  const { counted, booked, owners } = figures;
  const days = [...kept.map(({ ds }) => ds), ...eachDay(range)];
  const lastProven = addDays(dayOf(clock.now()), -PROVEN_WITHIN_DAYS);
  // What campaigns have spent is kept for good.
  const spent = [...new Set([...older, ...days])].filter((day) => day <= lastProven);
  const drifts = [...driftsOf(figures), ...(await spendDrifts(pool, spent))];
  const found = await keep(deps, { days, spent }, { counted: owned(counted, owners), booked, drifts });
  if (found > 0) {
    log.error({ drifts: drifts.length, ...range }, "the ledger and the events disagree");
    await deps.tellAdmins(found);
  }
  return drifts;
}

/**
 * Reconciles with days whose events were late for their accrual booked first, and with what that changes of campaigns' spend. As every
 * accrual, it takes nothing back: a store that has lost rows is a difference.
 */
export function reconcileWithLate(deps: ReconcileDeps & AccrualDeps): Promise<Drift[]> {
  return reconcile(deps, async (days) => {
    for (const day of days) await accrue(deps, singleDay(day));
    await returnUnprovenSpend(deps);
  });
}

const singleDay = (day: string): DayRange => ({ ds: day, de: day });

interface Figures {
  counted: readonly Sale[];
  booked: readonly Sale[];
  owners: Owners;
}

async function figuresOf({ pool, books }: ReconcileDeps, periods: readonly DayRange[]): Promise<Figures> {
  const [counted, booked]: [Sale[], Sale[]] = [[], []];
  for (const period of periods) {
    counted.push(...(await books.counted(period)));
    booked.push(...(await bookedSales(pool, period)));
  }
  return { counted, booked, owners: await ownersOf(pool, [...counted, ...booked]) };
}

const driftsOf = ({ counted, booked, owners }: Figures): Drift[] =>
  compare(sumsOf(counted, owners), sumsOf(booked, owners));

/** Days before a day on which books and events differ, whether or not an admin has accepted it. */
async function driftingDays(pool: Pool, before: string): Promise<string[]> {
  const { rows } = await pool.query<{ day: string }>(
    "SELECT DISTINCT day::text AS day FROM ledger_drifts WHERE day < $1 ORDER BY day",
    [before],
  );
  return rows.map(({ day }) => day);
}

type Sums = Map<string, { day: string; accountId: number; what: DriftKind; micros: bigint }>;

const owned = (sales: readonly Sale[], { publishers }: Owners): Sale[] =>
  sales.filter(({ appId }) => publishers.has(appId));

function sumsOf(sales: readonly Sale[], { publishers, advertisers }: Owners): Sums {
  const sums: Sums = new Map();
  const add = (day: string, accountId: number | undefined, what: DriftKind, micros: bigint) => {
    if (accountId === undefined) return;
    const key = `${day} ${accountId} ${what}`;
    sums.set(key, { day, accountId, what, micros: (sums.get(key)?.micros ?? 0n) + micros });
  };
  for (const { day, appId, campaignId, grossMicros, revenueMicros } of sales) {
    const publisher = publishers.get(appId);
    if (publisher === undefined) continue;
    add(day, publisher, "revenue", revenueMicros);
    add(day, publisher, "gross", grossMicros);
    add(day, advertisers.get(campaignId), "costs", grossMicros);
  }
  return sums;
}

function compare(counted: Sums, booked: Sums): Drift[] {
  return [...new Set([...counted.keys(), ...booked.keys()])].flatMap((key) => {
    const [inEvents, inBooks] = [counted.get(key), booked.get(key)];
    const sum = inEvents ?? inBooks;
    const [countedMicros, bookedMicros] = [inEvents?.micros ?? 0n, inBooks?.micros ?? 0n];
    if (!sum || countedMicros === bookedMicros) return [];
    return [{ day: sum.day, accountId: sum.accountId, what: sum.what, countedMicros, bookedMicros }];
  });
}

/** Days on which campaigns have spent something else than the ledger says of their ads and of spend given back. */
async function spendDrifts(pool: Pool, days: readonly string[]): Promise<Drift[]> {
  const { rows } = await pool.query<{ day: string; accountId: number; spent: string; booked: string }>(
    `WITH spent AS (
       SELECT d.day, b.account_id, sum(d.spent_micros) AS micros FROM campaign_days d JOIN campaign_budgets b USING (campaign_id)
       WHERE d.day = ANY($1) GROUP BY d.day, b.account_id
     ), booked AS (
       SELECT p.for_day AS day, l.account_id, sum(l.amount_micros) AS micros
       FROM ledger_postings p JOIN ledger_lines l ON l.posting_id = p.id
       WHERE p.for_day = ANY($1) AND p.kind IN ('accrual', 'return') AND l.book = 'campaign_costs'
       GROUP BY p.for_day, l.account_id
     )
     SELECT day::text AS day, account_id AS "accountId", coalesce(s.micros, 0) AS spent, coalesce(b.micros, 0) AS booked
     FROM spent s FULL JOIN booked b USING (day, account_id)
     WHERE coalesce(s.micros, 0) <> coalesce(b.micros, 0)`,
    [days],
  );
  return rows.map(({ day, accountId, spent, booked }) => ({
    day,
    accountId,
    what: "spend",
    countedMicros: BigInt(spent),
    bookedMicros: BigInt(booked),
  }));
}

/** Resolves with the number of drifts that were not known before, or whose acceptance another amount takes back. */
async function keep(
  { pool, clock }: ReconcileDeps,
  { days, spent }: { days: readonly string[]; spent: readonly string[] },
  { counted, booked, drifts }: { counted: readonly Sale[]; booked: readonly Sale[]; drifts: readonly Drift[] },
): Promise<number> {
  const at = new Date(clock.now());
  let found = 0;
  const sum = (sales: readonly Sale[], day: string, what: "grossMicros" | "revenueMicros"): string =>
    sales
      .filter((sale) => sale.day === day)
      .reduce((total, sale) => total + sale[what], 0n)
      .toString();
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO reconciled_days
       SELECT day, $1, counted_gross, counted_revenue, booked_gross, booked_revenue
       FROM unnest($2::date[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
         AS u(day, counted_gross, counted_revenue, booked_gross, booked_revenue)
       ON CONFLICT (day) DO UPDATE SET checked_at = excluded.checked_at,
         counted_gross_micros = excluded.counted_gross_micros, counted_revenue_micros = excluded.counted_revenue_micros,
         booked_gross_micros = excluded.booked_gross_micros, booked_revenue_micros = excluded.booked_revenue_micros`,
      [
        at,
        days,
        ...[counted, booked].flatMap((sales) =>
          (["grossMicros", "revenueMicros"] as const).map((what) => days.map((day) => sum(sales, day, what))),
        ),
      ],
    );
    await client.query(
      `DELETE FROM ledger_drifts WHERE (CASE what WHEN 'spend' THEN day = ANY($2) ELSE day = ANY($1) END)
         AND NOT (day, account_id, what) IN (SELECT * FROM unnest($3::date[], $4::integer[], $5::text[]))`,
      [
        days,
        spent,
        drifts.map(({ day }) => day),
        drifts.map(({ accountId }) => accountId),
        drifts.map(({ what }) => what),
      ],
    );
    for (const { day, accountId, what, countedMicros, bookedMicros } of drifts) {
      const { rows } = await client.query<{ isNew: boolean }>(
        `INSERT INTO ledger_drifts AS d (day, account_id, what, counted_micros, booked_micros, found_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (day, account_id, what) DO UPDATE
         SET counted_micros = excluded.counted_micros, booked_micros = excluded.booked_micros,
           accepted_at = NULL, accepted_by = NULL, accepted_reason = NULL
         WHERE (d.counted_micros, d.booked_micros) <> (excluded.counted_micros, excluded.booked_micros)
         RETURNING xmax = 0 OR EXISTS (
           SELECT FROM ledger_drifts was WHERE was.uuid = d.uuid AND was.accepted_at IS NOT NULL) AS "isNew"`,
        [day, accountId, what, countedMicros.toString(), bookedMicros.toString(), at],
      );
      if (rows[0]?.isNew === true) found++;
    }
  });
  return found;
}
