import { z } from "zod";
import { adminMails } from "./admin-mails.ts";
import type { BalanceAlertDeps } from "./balance-alerts.ts";

/** Tells the platform's admins when the books and the events begin to disagree. Returns what queues the mails. */
export function driftMails(deps: BalanceAlertDeps): (drifts: number) => Promise<void> {
  const send = adminMails(deps, {
    name: "drift-mail",
    about: z.object({ drifts: z.int() }),
    write: async ({ drifts }) => ({
      title: "The books and the events disagree",
      lines: [
        `The latest count of single events found ${drifts === 1 ? "a difference" : `${drifts} differences`} between the ledger and the recorded events.`,
        "Nothing is paid out to the accounts concerned until they agree again, or an admin accepts the difference.",
      ],
    }),
    button: { label: "See the books", path: "/admin/books" },
  });
  return (drifts) => send({ drifts });
}
