import { formatMoney } from "@millrace/units";
import { z } from "zod";
import { adminMails } from "../admin-mails.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { BY_HAND } from "./admin-payouts.ts";

/** The payouts of deleted accounts count too. */
const WAITING = `SELECT count(*)::integer AS count, coalesce(sum(p.amount_micros), 0) AS micros
  FROM payouts p JOIN accounts a ON a.id = p.account_id WHERE ${BY_HAND}`;

/** Returns what mails the platform's admins that payouts wait to be made by hand, because publishers were told that the money is on its way. */
export function byHandMails(deps: BalanceAlertDeps): () => Promise<void> {
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
  return () => send({});
}
