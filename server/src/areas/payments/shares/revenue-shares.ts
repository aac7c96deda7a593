import type { RevenueShares } from "@millrace/contract";
import { dayOf, sharePpmOn } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { Clock } from "../../../platform/clock.ts";
import { lockAccount } from "../../../platform/postgres/lock-account.ts";

export interface ShareDeps {
  pool: Pool;
  clock: Clock;
  /** The share of publishers without one of their own. */
  revenueSharePpm: number;
}

/** An account's share of today, and those of other days. */
export async function readShares(
  { pool, clock, revenueSharePpm }: ShareDeps,
  accountId: number,
): Promise<RevenueShares> {
  const rows = await sharesOf(pool, accountId);
  const today = dayOf(clock.now());
  const current = rows.findLast(({ fromDay }) => fromDay <= today);
  return {
    share_ppm: sharePpmOn(today, rows, revenueSharePpm),
    platform_ppm: revenueSharePpm,
    shares: rows
      .map((row) => ({
        from: row.fromDay,
        share_ppm: row.sharePpm,
        reason: row.reason,
        set_at: row.setAt.toISOString(),
        when: row === current ? ("now" as const) : row.fromDay > today ? ("future" as const) : ("past" as const),
      }))
      .toReversed(),
  };
}

interface NewShare {
  accountId: number;
  /** The first UTC day with it, after today. */
  fromDay: string;
  sharePpm: number;
  reason: string;
  at: Date;
}

/**
 * Sets an account's share from a day on, in the client's transaction. Returns the share that this day had before, or null, without
 * effect, if it has this one already. Problem `unprocessable` for a day that is not after today: what was sold keeps its
 * share.
 */
export async function setRevenueShare(
  client: PoolClient,
  { accountId, fromDay, sharePpm, reason, at }: NewShare,
  platformPpm: number,
): Promise<{ formerPpm: number } | null> {
  if (fromDay <= dayOf(at.getTime())) throw new Problem("unprocessable", { from: "Choose a day after today (UTC)" });
  await lockAccount(client, accountId);
  const rows = await sharesOf(client, accountId);
  const same = rows.find((row) => row.fromDay === fromDay);
  if (same?.sharePpm === sharePpm && same.reason === reason) return null;
  await client.query(
    "INSERT INTO revenue_shares (account_id, from_day, share_ppm, reason, set_at) VALUES ($1, $2, $3, $4, $5)",
    [accountId, fromDay, sharePpm, reason, at],
  );
  return { formerPpm: sharePpmOn(fromDay, rows, platformPpm) };
}

/** An account's shares by their first day; of several for one day, the last one that was set. */
async function sharesOf(
  db: Pool | PoolClient,
  accountId: number,
): Promise<{ fromDay: string; sharePpm: number; reason: string; setAt: Date }[]> {
  const { rows } = await db.query<{ fromDay: string; sharePpm: number; reason: string; setAt: Date }>(
    `SELECT DISTINCT ON (from_day) from_day::text AS "fromDay", share_ppm AS "sharePpm", reason, set_at AS "setAt"
     FROM revenue_shares WHERE account_id = $1 ORDER BY from_day, id DESC`,
    [accountId],
  );
  return rows;
}
