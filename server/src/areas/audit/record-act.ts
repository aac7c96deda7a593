import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Caller } from "../../platform/http/caller.ts";

/** Something that was done. Ids only: no names, e-mails or secrets, since entries outlive the people in them. */
export interface Act {
  /** What was done, as a name: `password_reset`, `user_blocked`. */
  action: string;
  /** To what, as an id of it. */
  subject?: string;
  accountId?: number | null;
  userId?: number | null;
  details?: Record<string, unknown>;
}

/** Whose deed something is, and from where. */
export interface By {
  caller: Caller;
  request: FastifyRequest;
}

/**
 * Adds an entry to the audit log. Of a signed-in caller both identities are kept: the one who acts, and, where an admin is
 * switched in, the user who is acted as. The entry stands or falls with the act: it takes no pool, only the client of
 * the transaction in which the act is done.
 */
export async function recordAct(
  { pool: client, clock }: { pool: PoolClient; clock: Clock },
  by: { caller?: Caller | null; request?: FastifyRequest },
  act: Act,
): Promise<void> {
  const { caller } = by;
  await client.query(
    `INSERT INTO audit_log (at, actor_user_id, as_user_id, account_id, action, subject, details, address)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      new Date(clock.now()),
      caller?.impersonatorId ?? caller?.userId ?? act.userId ?? null,
      caller && caller.impersonatorId !== null ? caller.userId : null,
      act.accountId ?? caller?.accountId ?? null,
      act.action,
      act.subject ?? "",
      JSON.stringify(act.details ?? {}),
      addressOf(by.request),
    ],
  );
}

/**
 * Null for what is no address: a proxy's `X-Forwarded-For` may say anything, and no act fails or goes unrecorded over it.
 * PostgreSQL's `inet` knows no zones (`fe80::1%eth0`).
 */
function addressOf(request: FastifyRequest | undefined): string | null {
  // The socket of a client that is gone has no address, whatever the types say.
  const { ip }: { ip?: string } = request ?? {};
  const address = ip?.replace(/%.*$/, "") ?? "";
  return isIP(address) === 0 ? null : address;
}
