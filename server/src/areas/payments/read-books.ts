import type { Books, DriftKind } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { ownerColumn } from "../../platform/postgres/account-owner.ts";

interface DayRow {
  day: string;
  countedGross: string;
  countedRevenue: string;
  bookedGross: string;
  bookedRevenue: string;
}

/** What the last count found, back to the first day with anything sold; the newest day first. */
export async function readBooks(pool: Pool): Promise<Books> {
  const { rows: days } = await pool.query<DayRow>(
    `SELECT day::text AS day, counted_gross_micros AS "countedGross",
            counted_revenue_micros AS "countedRevenue", booked_gross_micros AS "bookedGross",
            booked_revenue_micros AS "bookedRevenue"
     FROM reconciled_days
     WHERE day >= (SELECT min(day) FROM reconciled_days WHERE counted_gross_micros <> 0 OR booked_gross_micros <> 0)
     ORDER BY day DESC LIMIT 31`,
  );
  const { rows: drifts } = await pool.query<{
    id: string;
    day: string;
    account: string | null;
    what: DriftKind;
    counted: string;
    booked: string;
    acceptedAt: Date | null;
    acceptedBy: string | null;
    reason: string | null;
  }>(
    `SELECT d.uuid AS id, d.day::text AS day, d.what, d.counted_micros AS counted, d.booked_micros AS booked,
       ${ownerColumn("email", "d.account_id")} AS account, d.accepted_at AS "acceptedAt", d.accepted_reason AS reason,
       (SELECT u.email FROM users u WHERE u.id = d.accepted_by) AS "acceptedBy"
     FROM ledger_drifts d ORDER BY d.accepted_at IS NOT NULL, d.day DESC, d.account_id, d.what LIMIT 200`,
  );
  const { rows: last } = await pool.query<{ checkedAt: Date | null }>(
    `SELECT max(checked_at) AS "checkedAt" FROM reconciled_days`,
  );
  return {
    booked_until: await lastBookedDay(pool),
    checked_at: last[0]?.checkedAt?.toISOString() ?? null,
    days: days.map(({ day, countedGross, countedRevenue, bookedGross, bookedRevenue }) => ({
      day,
      counted: { gross: Number(countedGross), revenue: Number(countedRevenue) },
      booked: { gross: Number(bookedGross), revenue: Number(bookedRevenue) },
    })),
    drifts: drifts.map(({ counted, booked, acceptedAt, acceptedBy, reason, ...drift }) => ({
      ...drift,
      counted: Number(counted),
      booked: Number(booked),
      accepted: acceptedAt && { at: acceptedAt.toISOString(), by: acceptedBy, reason: reason ?? "" },
    })),
  };
}

/**
 * The last UTC day that is booked: one with an accrual, or one of which the last count of single events found no other sum than the
 * ledger has, such as none. Null before the first.
 */
export async function lastBookedDay(db: Pool | PoolClient): Promise<string | null> {
  const { rows } = await db.query<{ day: string | null }>(
    `SELECT greatest(
       (SELECT max(for_day) FROM ledger_postings WHERE kind = 'accrual'),
       (SELECT max(day) FROM reconciled_days
        WHERE counted_gross_micros = booked_gross_micros AND counted_revenue_micros = booked_revenue_micros)
     )::text AS day`,
  );
  return rows[0]?.day ?? null;
}
