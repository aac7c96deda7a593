import { DEDUCTION_REASON_LABELS } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import type { PoolClient } from "pg";
import { z } from "zod";
import { adminMails } from "../admin-mails.ts";
import type { BalanceAlertDeps } from "../balance-alerts.ts";
import { findDeduction } from "./find-deduction.ts";

/** Tells the platform's admins that a deduction is disputed. Returns what queues the mails with a transaction. */
export function disputeMails(deps: BalanceAlertDeps): (client: PoolClient, uuid: string) => Promise<void> {
  const send = adminMails(deps, {
    name: "dispute-mail",
    // Neither the dispute nor who wrote it: both are deleted with the account, a job or a mail is not.
    about: z.object({ uuid: z.uuid() }),
    async write({ uuid }) {
      const deduction = await findDeduction(deps.pool, uuid);
      if (!deduction) return null;
      const { amountMicros, reason, appName, day, explanation } = deduction;
      return {
        title: "A publisher disputes a deduction",
        lines: [
          `The deduction of ${formatMoneyExact(amountMicros)} from ${appName} on ${formatDay(day)} is disputed.`,
          `${DEDUCTION_REASON_LABELS[reason]}: ${explanation}`,
        ],
      };
    },
    button: { label: "Read and answer", path: "/admin/deductions?state=disputed" },
  });
  return (client, uuid) => send({ uuid }, client);
}
