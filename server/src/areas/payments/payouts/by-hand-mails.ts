import { formatMoney } from "@millrace/units";
import { z } from "zod";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { adminMails } from "../admin-mails.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { BY_HAND } from "./admin-payouts.ts";

/** The payouts of deleted accounts count too. */
const WAITING = `SELECT count(*)::integer AS count, coalesce(sum(p.amount_micros), 0) AS micros
  FROM payouts p JOIN accounts a ON a.id = p.account_id WHERE ${BY_HAND}`;

/** `$2` is the latest moment of their order. */
const TOLD = `UPDATE payouts p SET admins_told_at = $1 FROM accounts a
  WHERE a.id = p.account_id AND ${BY_HAND} AND p.admins_told_at IS NULL AND p.changed_at <= $2`;

/**
 * Returns what mails the platform's admins that payouts wait to be made by hand, because publishers were told that the money is on its way.
 * It is about payouts that no mail was queued for yet, and that have waited for so long: whoever ordered them may have died since.
 */
export function byHandMails(deps: BalanceAlertDeps): (waitedMs: number) => Promise<void> {
  const { pool, clock } = deps;
  const send = adminMails(deps, {
    name: "payouts-by-hand-mail",
    about: z.object({}),
    async write() {
      const { rows } = await deps.pool.query<{ count: number; micros: string }>(WAITING);
      const { count = 0, micros = "0" } = rows[0] ?? {};
      if (count === 0) return null;
      const what = count === 1 ? "1 payout waits" : `${count} payouts wait`;
      return {
        title: `${what} to be made by hand`,
        lines: [
          `${formatMoney(Number(micros))} in all. We told the publishers that the money is on its way, but it is sent only when you send it.`,
          "“Show where to pay” has the account of each, and “Settle” records that it was paid.",
        ],
      };
    },
    button: { label: "See the payouts", path: "/admin/payouts" },
  });
  return async (waitedMs) => {
    const at = clock.now();
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(TOLD, [new Date(at), new Date(at - waitedMs)]);
      if (rowCount !== null && rowCount > 0) await send({}, client);
    });
  };
}
