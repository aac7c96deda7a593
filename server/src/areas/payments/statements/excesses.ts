import { type AdminStatements, type NamedApp, MOST_LISTED_EXCESSES } from "@millrace/contract";
import { type DayRange, formatMoneyExact } from "@millrace/units";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { adminMails } from "../admin-mails.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { CENT } from "../ledger.ts";
import { type Shortfall, shortfallsOf } from "./shortfalls.ts";

/** Days of apps with deductions that stand, and of which the partner has stated something. Those of deleted accounts are history. */
const PASSED_ON = `
  SELECT DISTINCT x.provider AS partner, x.day, x.app_id FROM deductions x JOIN accounts o ON o.id = x.account_id
  WHERE x.state <> 'reversed' AND o.deleted_at IS NULL AND ($1::text IS NULL OR x.provider = $1)
    AND ($2::date IS NULL OR x.day BETWEEN $2 AND $3) AND EXISTS (
      SELECT FROM statement_days d JOIN statements s ON s.id = d.statement_id
      WHERE d.day = x.day AND d.app_id = x.app_id AND s.partner_id = x.provider)`;

const excessOf = ({ micros, passedOnMicros }: Shortfall): bigint => passedOnMicros - micros;

/**
 * Days of apps of which a cent or more was deducted beyond what their partner leaves missing, as one that has restated a day upwards does.
 * Of a partner and a range of days, or of all.
 */
export async function readExcesses(
  db: Pool | PoolClient,
  { partner, range }: { partner?: string; range?: DayRange } = {},
): Promise<Shortfall[]> {
  const shortfalls = await shortfallsOf(db, PASSED_ON, [partner ?? null, range?.ds ?? null, range?.de ?? null]);
  return shortfalls.filter((one) => excessOf(one) >= CENT);
}

/** How many days of apps have an excess. */
export const countExcesses = async (pool: Pool): Promise<{ count: number; since: null }> => ({
  count: (await readExcesses(pool)).length,
  since: null,
});

/** The excesses of all partners, the largest first. */
export async function listExcesses(pool: Pool): Promise<AdminStatements["excesses"]> {
  const excesses = (await readExcesses(pool))
    .toSorted((one, other) => Number(excessOf(other) - excessOf(one)))
    .slice(0, MOST_LISTED_EXCESSES);
  const { rows: apps } = await pool.query<NamedApp & { id: number }>(
    "SELECT id, uuid, name, platform FROM apps WHERE id = ANY($1)",
    [excesses.map(({ appId }) => appId)],
  );
  const { rows: partners } = await pool.query<{ id: string; name: string }>("SELECT id, name FROM partners");
  return excesses.flatMap(({ partner, day, appId, micros, passedOnMicros, standing }) =>
    apps
      .filter(({ id }) => id === appId)
      .map(({ uuid, name, platform }) => ({
        day,
        app: { uuid, name, platform },
        partner_name: partners.find(({ id }) => id === partner)?.name ?? partner,
        shortfall: Number(micros),
        passed_on: Number(passedOnMicros),
        deductions: standing,
      })),
  );
}

/** Tells the platform's admins that a partner owes more of days that were passed on. Returns what queues the mails with a transaction. */
export function excessMails(deps: BalanceAlertDeps): (client: PoolClient, partner: string) => Promise<void> {
  const send = adminMails(deps, {
    name: "excess-mail",
    about: z.object({ partner: z.string() }),
    async write({ partner }) {
      const excesses = await readExcesses(deps.pool, { partner });
      if (excesses.length === 0) return null;
      const { rows } = await deps.pool.query<{ name: string }>("SELECT name FROM partners WHERE id = $1", [partner]);
      const days = excesses.length === 1 ? "a day" : `${excesses.length} days`;
      const micros = excesses.reduce((sum, one) => sum + excessOf(one), 0n);
      return {
        title: "A partner owes more of days that were passed on",
        lines: [
          `By its statements, ${rows[0]?.name ?? partner} now owes more of ${days} of apps of which publishers have borne a shortfall: ${formatMoneyExact(micros)} more is deducted from them than is missing.`,
          "Reverse these deductions. What is still missing can be passed on again.",
        ],
      };
    },
    button: { label: "See these days", path: "/admin/statements" },
  });
  return (client, partner) => send({ partner }, client);
}
