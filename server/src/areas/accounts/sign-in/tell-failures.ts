import { counter } from "../../../platform/http/throttle.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";

/** After so many failures within an hour the user is told. Codes are few: whoever gives them knows the password. */
const TOLD_AFTER = { passwords_failed: 20, codes_failed: 5 } as const;
type FailureKind = keyof typeof TOLD_AFTER;

const DAY_MS = 86_400_000;

/** Counts the failures of each kind and user. */
export type FailureCount = (key: string) => Promise<number>;
export const failureCount = (): FailureCount => counter({ windowSeconds: 3600 });

/**
 * Counts a failed sign-in, and tells the user by mail where there are many: once a day of each kind. It runs beside the
 * request, whose time must not tell whether the e-mail has a login.
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
  void tell().catch((error: unknown) => accounts.log.warn({ error }, "A user was not told of failed sign-ins"));
}
