import { DAY_MS } from "@millrace/units";
import { type Counter, counter } from "../../../platform/http/throttle.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";

/**
 * Failures within an hour after which the user gets a mail. Codes have a low limit, because entering them requires the
 * password.
 */
const TOLD_AFTER = { passwords_failed: 20, codes_failed: 5 } as const;
type FailureKind = keyof typeof TOLD_AFTER;

/** Counts failures per kind and user. */
export const failureCount = (): Counter => counter({ windowSeconds: 3600 });

/**
 * Counts a failed sign-in and mails the user when there are many, once a day per kind. Runs outside the request, whose
 * time must not reveal whether the e-mail has a login.
 */
export function noteFailure(
  accounts: Pick<Accounts, "pool" | "clock" | "jobs" | "log" | "failures">,
  userId: number,
  kind: FailureKind,
): void {
  const tell = async () => {
    if ((await accounts.failures(`${kind} ${userId}`)) % TOLD_AFTER[kind] !== 0) return;
    await inTransaction(accounts.pool, async (client) => {
      const now = accounts.clock.now();
      const { rowCount } = await client.query(
        `INSERT INTO failure_notices (user_id, kind, told_at) SELECT id, $2, $3 FROM users WHERE id = $1
         ON CONFLICT (user_id, kind) DO UPDATE SET told_at = excluded.told_at WHERE failure_notices.told_at <= $4`,
        [userId, kind, new Date(now), new Date(now - DAY_MS)],
      );
      if (rowCount === 1) await sendNotice(accounts, client, { userId, kind });
    });
  };
  void tell().catch((error: unknown) => accounts.log.warn({ error }, "a notice of failed sign-ins could not be sent"));
}
