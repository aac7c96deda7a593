import { formatDay, formatDaysLeft, formatMoney } from "@millrace/units";
import type { Pool } from "pg";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/index.ts";
import { MAIL_PATIENCE, type Mailer, composeMail, hasMailbox, sentBecause } from "../../platform/mail/index.ts";
import { IS_OWNER, ownerEmail } from "../../platform/postgres/account-owner.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { SPEND_DAYS, daysLeftOf, fundsOf } from "./campaign-funds.ts";

export interface BalanceAlertDeps {
  pool: Pool;
  clock: Clock;
  mailer: Mailer;
  jobs: Jobs;
  /** The configured origin. */
  publicUrl: string;
  operatorName: string;
  /** Whom people write to who cannot sign in. */
  operatorEmail?: string | undefined;
}

const LOOK = "look-at-balances";
const MAIL = "balance-alert-mail";
const LOOK_EVERY_SECONDS = 900;

const Alert = z.object({
  accountId: z.int(),
  balanceMicros: z.int(),
  daysLeft: z.number(),
  alertDays: z.int(),
  since: z.string().optional(),
});

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

/** Advertisers who want an alert, whether they have got it. */
const WANTED = `
  SELECT a.id AS "accountId", u.balance_alert_days AS "alertDays", t.account_id IS NOT NULL AS alerted
  FROM accounts a JOIN memberships m ON m.account_id = a.id AND ${IS_OWNER} JOIN users u ON u.id = m.user_id
  LEFT JOIN balance_alerts t ON t.account_id = a.id
  WHERE a.can_campaign AND a.deleted_at IS NULL AND u.balance_alert_days IS NOT NULL AND u.blocked_at IS NULL`;

/** One look at all balances. */
async function lookAtBalances({ pool, clock, jobs }: BalanceAlertDeps): Promise<void> {
  const at = new Date(clock.now());
  // Switching the alert off and on again resets it.
  await pool.query(
    `DELETE FROM balance_alerts t WHERE NOT EXISTS (
       SELECT FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.account_id = t.account_id AND ${IS_OWNER} AND u.balance_alert_days IS NOT NULL)`,
  );
  const { rows } = await pool.query<{ accountId: number; alertDays: number; alerted: boolean }>(WANTED);
  const accountIds = rows.map(({ accountId }) => accountId);
  const funds = new Map((await fundsOf(pool, clock, accountIds)).map((one) => [one.accountId, one]));
  for (const { accountId, alertDays, alerted } of rows) {
    const { balanceMicros = 0, spentMicros = 0, days = SPEND_DAYS, since } = funds.get(accountId) ?? {};
    const daysLeft = daysLeftOf(balanceMicros, spentMicros, days);
    const runsOut = daysLeft !== null && daysLeft < alertDays;
    if (!runsOut && alerted) await pool.query("DELETE FROM balance_alerts WHERE account_id = $1", [accountId]);
    if (!runsOut || alerted) continue;
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        "INSERT INTO balance_alerts (account_id, told_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [accountId, at],
      );
      // Another platform was faster.
      if (rowCount === 1) await jobs.send(MAIL, { accountId, balanceMicros, daysLeft, alertDays, since }, { client });
    });
  }
}

async function mailOwner(deps: BalanceAlertDeps, alert: z.infer<typeof Alert>): Promise<void> {
  const { accountId, balanceMicros, daysLeft, alertDays, since } = alert;
  const to = await ownerEmail(deps.pool, accountId);
  if (to === undefined || !hasMailbox(to)) return;
  const mail = composeMail({
    title: "Your campaign balance is running out",
    lines: [
      `Your campaign balance is ${formatMoney(balanceMicros)}. At the spend ${since === undefined ? `of the last ${SPEND_DAYS} days` : `since ${formatDay(since)} (UTC)`} it lasts ${formatDaysLeft(daysLeft)}.`,
      "Campaigns stop when it is used up. To refill it, contact support.",
      `You asked for this alert ${alertDays} ${alertDays === 1 ? "day" : "days"} in advance. You can change that in your profile.`,
    ],
    button: { label: "Contact support", url: new URL("/support", deps.publicUrl).href },
    footer: sentBecause(deps, "the balance alert in your profile is on"),
  });
  await deps.mailer.send({ to, ...mail });
}
