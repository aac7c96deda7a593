import { type PayoutState, asSentence } from "@millrace/contract";
import { formatMoney, formatMonth } from "@millrace/units";
import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, composeMail, hasMailbox, sentBecause } from "../../../platform/mail/index.ts";
import { ownerEmail, ownerColumn } from "../../../platform/postgres/account-owner.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { type StatementDeps, statementPdf } from "./statement-pdf.ts";

const MAIL = "payout-mail";
const METHOD_MAIL = "payout-method-mail";

const About = z.object({ payoutId: z.uuid(), what: z.enum(["ordered", "paid", "rejected"]) });
const Method = z.object({ accountId: z.int(), method: z.string().nullable() });

export interface PayoutMails {
  /** Queues the mail in the client's transaction. */
  about(client: PoolClient, about: z.infer<typeof About>): Promise<void>;
  aboutMethod(client: PoolClient, changed: z.infer<typeof Method>): Promise<void>;
}

/** Tells owners what they are paid, what came back, and that their payout details were changed. */
export function payoutMails(deps: BalanceAlertDeps & StatementDeps): PayoutMails {
  const { jobs, publicUrl } = deps;
  const button = { label: "See your payments", url: new URL("/payment", publicUrl).href };
  const footer = sentBecause(deps, "you own an account there");
  jobs.define(
    MAIL,
    About,
    async ({ payoutId, what }) => {
      const { rows } = await deps.pool.query<Payout>(PAYOUT, [payoutId]);
      const [payout] = rows;
      if (!payout?.email || !hasMailbox(payout.email)) return;
      // It may have come back since.
      if (what === "paid" && payout.state !== "paid") return;
      const mail = composeMail({ ...TEXTS[what](payout), button, footer });
      const attachments = what === "paid" ? [await statementPdf(deps, { payoutId })] : [];
      await deps.mailer.send({ to: payout.email, ...mail, attachments });
    },
    MAIL_PATIENCE,
  );
  jobs.define(
    METHOD_MAIL,
    Method,
    async ({ accountId, method }) => {
      const to = await ownerEmail(deps.pool, accountId);
      if (to === undefined || !hasMailbox(to)) return;
      await deps.mailer.send({ to, ...composeMail({ ...methodText(method, deps.operatorEmail), button, footer }) });
    },
    MAIL_PATIENCE,
  );
  return {
    about: (client, about) => jobs.send(MAIL, about, { client }),
    aboutMethod: (client, changed) => jobs.send(METHOD_MAIL, changed, { client }),
  };
}

interface Payout {
  email: string | null;
  amount: string;
  month: string;
  method: string;
  reason: string;
  state: PayoutState;
}

const PAYOUT = `SELECT ${ownerColumn("email", "a.id")} AS email, p.amount_micros AS amount, to_char(p.period, 'YYYY-MM') AS month,
    p.method, p.reason, p.state
  FROM payouts p JOIN accounts a ON a.id = p.account_id AND a.deleted_at IS NULL WHERE p.id = $1`;

/** What an owner is told of a method; null if the provider can no longer pay, which is no change that the owner made. */
export const methodText = (method: string | null, operatorEmail?: string) =>
  method === null
    ? {
        title: "Please check your payout details",
        lines: [
          "The payout provider can no longer pay you with the details that it has.",
          "Your balance is kept until you have entered new ones.",
        ],
      }
    : {
        title: "Your payout details have changed",
        lines: [
          `From now on you are paid by this method: ${method}.`,
          // Whoever changed it may have taken the login, which the support page needs.
          `If you have not changed this, contact support at once${operatorEmail === undefined ? "." : `: write to ${operatorEmail}.`}`,
        ],
      };

const orderedText = ({ amount, month, method }: Payout) => ({
  title: `Your payment of ${formatMoney(Number(amount))} is on its way`,
  lines: [
    `What you earned until the end of ${formatMonth(month)} is being paid: ${formatMoney(Number(amount))} by ${method}.`,
    "The finance report shows day by day what it is made of.",
  ],
});

const paidText = ({ amount, month, method }: Payout) => ({
  title: `Your payment of ${formatMoney(Number(amount))} was sent`,
  lines: [
    `${formatMoney(Number(amount))} for ${formatMonth(month)} has been sent by ${method}. Banks may take some days.`,
    "The statement in the attachment says what it is made of. Your payment history has it as well.",
  ],
});

export const rejectedText = ({ amount, month, method, reason }: Omit<Payout, "email" | "state">) => ({
  title: `Your payment of ${formatMoney(Number(amount))} was rejected`,
  lines: [
    `The payment for ${formatMonth(month)} by ${method} was rejected${reason === "" ? "." : `: ${asSentence(reason)}`}`,
    "The money is back on your balance, and a later month pays it unless something holds that back. If your payout details are the reason, please correct them.",
  ],
});

const TEXTS = { ordered: orderedText, paid: paidText, rejected: rejectedText } as const;
