import { formatMoney } from "@millrace/units";
import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, composeMail, hasMailbox, sentBecause } from "../../../platform/mail/index.ts";
import { ownerEmail } from "../../../platform/postgres/account-owner.ts";
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
      const { rows } = await pool.query<{ accountId: number }>(
        `SELECT account_id AS "accountId" FROM invoices WHERE uuid = $1`,
        [id],
      );
      const to = rows[0] && (await ownerEmail(pool, rows[0].accountId));
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
