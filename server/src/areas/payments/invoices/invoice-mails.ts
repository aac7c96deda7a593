import { formatMoney } from "@millrace/units";
import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, composeMail, hasMailbox, sentBecause } from "../../../platform/mail/index.ts";
import { IS_OWNER } from "../../../platform/postgres/account-owner.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { CENT } from "../ledger.ts";
import { documentPdf, readDocument } from "./read-documents.ts";

const MAIL = "invoice-mail";

/** Mails each document to its account's owner, after `beforeMail`. Returns what queues the mail in the document's transaction. */
export function invoiceMails(
  deps: BalanceAlertDeps & { beforeMail(): Promise<void> },
): (client: PoolClient, id: string) => Promise<void> {
  const { pool, jobs, mailer, publicUrl } = deps;
  jobs.define(
    MAIL,
    z.object({ id: z.uuid() }),
    async ({ id }) => {
      const { rows } = await pool.query<{ email: string }>(
        `SELECT u.email FROM invoices i JOIN accounts a ON a.id = i.account_id AND a.deleted_at IS NULL
         JOIN memberships m ON m.account_id = a.id AND ${IS_OWNER} JOIN users u ON u.id = m.user_id
         WHERE i.uuid = $1 ORDER BY u.id LIMIT 1`,
        [id],
      );
      const to = rows[0]?.email;
      if (to === undefined || !hasMailbox(to)) return;
      const { kind, series, number, netCents, vatCents, credited } = await readDocument(pool, { uuid: id });
      await deps.beforeMail();
      const total = formatMoney((netCents + vatCents) * CENT);
      const what = {
        invoice: `The invoice ${number} of ${total} for your refill is attached.`,
        self_billed: `The invoice ${number} of ${total}, which we issue in your name for your payment, is attached.`,
        credit_note: `The credit note ${number} is attached. It cancels ${credited?.number ?? ""}.`,
      }[series];
      const path = kind === "invoice" ? "/payment/balance" : "/payment";
      const mail = composeMail({
        title: series === "credit_note" ? `Credit note ${number}` : `Invoice ${number}`,
        lines: [what, "All of your invoices can be downloaded in the dashboard."],
        button: { label: "See your invoices", url: new URL(path, publicUrl).href },
        footer: sentBecause(deps, "you own an account there"),
      });
      await mailer.send({ to, ...mail, attachments: [await documentPdf(deps, { uuid: id })] });
    },
    MAIL_PATIENCE,
  );
  return (client, id) => jobs.send(MAIL, { id }, { client });
}
