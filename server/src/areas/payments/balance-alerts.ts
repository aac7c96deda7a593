import { formatMoney } from "@millrace/units";
import type { Pool } from "pg";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import { MAIL_PATIENCE, type Mailer, composeMail, hasMailbox, sentBecause } from "../../platform/mail/index.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";

export interface BalanceAlertDeps {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  /** The configured origin. */
  publicUrl: string;
  operatorName: string;
}

const LOOK = "look-at-balances";
const MAIL = "balance-alert-mail";
const LOOK_EVERY_SECONDS = 900;
/** The number of recent days whose spend predicts how long a balance lasts. */
const SPEND_DAYS = 7;
const DAY_MS = 86_400_000;

const Alert = z.object({ accountId: z.int(), balanceMicros: z.int(), daysLeft: z.number(), alertDays: z.int() });

/** How many days a balance lasts at the recent spend; null without spend. */
export const daysLeftOf = (balanceMicros: number, spentMicros: number, days: number): number | null =>
  spentMicros <= 0 ? null : (Math.max(0, balanceMicros) * days) / spentMicros;

/**
 * Mails owners when their balance is about to run out: once when it lasts fewer days than they chose, and again only
 * after it has lasted long enough in between, for example after a refill.
 */
export function defineBalanceAlerts(deps: BalanceAlertDeps): void {
  const { jobs } = deps;
  jobs.define(LOOK, z.object({}), () => lookAtBalances(deps));
  jobs.define(MAIL, Alert, (alert) => mailOwner(deps, alert), MAIL_PATIENCE);
  jobs.repeat(LOOK, {}, LOOK_EVERY_SECONDS);
}

interface Balance {
  accountId: number;
  alertDays: number;
  balanceMicros: string;
  spentMicros: string;
  alerted: boolean;
}

/** Balances of owners with an alert. Spend is what campaigns spent and the debits; refills are credits. */
const BALANCES = `
  SELECT a.id AS "accountId", u.balance_alert_days AS "alertDays", t.account_id IS NOT NULL AS alerted,
         -sum(l.amount_micros) - coalesce(min(b.spent_micros), 0) AS "balanceMicros",
         coalesce(sum(l.amount_micros) FILTER (WHERE l.amount_micros > 0 AND p.at > $1), 0)
           + (SELECT coalesce(sum(d.spent_micros), 0) FROM campaign_budgets c JOIN campaign_days d USING (campaign_id)
              WHERE c.account_id = a.id AND d.day > ($1::timestamptz AT TIME ZONE 'UTC')::date) AS "spentMicros"
  FROM accounts a JOIN memberships m ON m.account_id = a.id AND m.role = 'owner' JOIN users u ON u.id = m.user_id
  JOIN ledger_lines l ON l.account_id = a.id AND l.book = 'campaign_balance' JOIN ledger_postings p ON p.id = l.posting_id
  LEFT JOIN account_budgets b ON b.account_id = a.id
  LEFT JOIN balance_alerts t ON t.account_id = a.id
  WHERE a.can_campaign AND a.deleted_at IS NULL AND u.balance_alert_days IS NOT NULL AND u.blocked_at IS NULL
  GROUP BY a.id, u.id, t.account_id`;

/** One look at all balances. */
async function lookAtBalances({ pool, clock, jobs }: BalanceAlertDeps): Promise<void> {
  const at = new Date(clock.now());
  // Switching the alert off and on again resets it.
  await pool.query(
    `DELETE FROM balance_alerts t WHERE NOT EXISTS (
       SELECT FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.account_id = t.account_id AND m.role = 'owner' AND u.balance_alert_days IS NOT NULL)`,
  );
  const { rows } = await pool.query<Balance>(BALANCES, [new Date(at.getTime() - SPEND_DAYS * DAY_MS)]);
  for (const { accountId, alertDays, alerted, ...money } of rows) {
    const balanceMicros = Number(money.balanceMicros);
    const daysLeft = daysLeftOf(balanceMicros, Number(money.spentMicros), SPEND_DAYS);
    const runsOut = daysLeft !== null && daysLeft < alertDays;
    if (!runsOut && alerted) await pool.query("DELETE FROM balance_alerts WHERE account_id = $1", [accountId]);
    if (!runsOut || alerted) continue;
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        "INSERT INTO balance_alerts (account_id, told_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [accountId, at],
      );
      // Another platform was faster.
      if (rowCount === 1) await jobs.send(MAIL, { accountId, balanceMicros, daysLeft, alertDays }, { client });
    });
  }
}

async function mailOwner(deps: BalanceAlertDeps, alert: z.infer<typeof Alert>): Promise<void> {
  const { accountId, balanceMicros, daysLeft, alertDays } = alert;
  const { rows } = await deps.pool.query<{ email: string }>(
    `SELECT u.email FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
     WHERE m.account_id = $1 AND m.role = 'owner' AND a.deleted_at IS NULL ORDER BY u.id LIMIT 1`,
    [accountId],
  );
  const to = rows[0]?.email;
  if (to === undefined || !hasMailbox(to)) return;
  const mail = composeMail({
    title: "Your campaign balance is running out",
    lines: [
      `Your campaign balance is ${formatMoney(balanceMicros)}. At the spend of the last ${SPEND_DAYS} days it lasts ${daysText(daysLeft)}.`,
      "Campaigns stop when it is used up. To refill it, contact support.",
      `You asked for this alert ${alertDays} ${alertDays === 1 ? "day" : "days"} in advance. You can change that in your profile.`,
    ],
    button: { label: "Contact support", url: new URL("/support", deps.publicUrl).href },
    footer: sentBecause(deps, "the balance alert in your profile is on"),
  });
  await deps.mailer.send({ to, ...mail });
}

function daysText(days: number): string {
  const whole = Math.floor(days);
  return whole < 1 ? "less than a day" : whole === 1 ? "about one day" : `about ${whole} days`;
}
