import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Caller } from "../../platform/http/caller.ts";

/** An act. Ids only: no names, e-mails or secrets, because entries outlive the users in them. */
export interface Act {
  /** The act's name: `password_reset`, `user_blocked`. */
  action: string;
  /** The id of the act's object. */
  subject?: string;
  accountId?: number | null;
  userId?: number | null;
  details?: Record<string, unknown>;
}

/** Who acts, and from where. */
export interface By {
  caller: Caller;
  request: FastifyRequest;
}

/**
 * Adds an entry to the audit log. For a signed-in caller it stores both identities: the acting one and, during an
 * impersonation, the impersonated user. It takes the client of the act's transaction, not a pool, so the entry commits
 * or rolls back with the act.
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
 * Null if it is not an address: `X-Forwarded-For` may contain anything, and no act may fail because of it. PostgreSQL's
 * `inet` has no zones (`fe80::1%eth0`).
 */
function addressOf(request: FastifyRequest | undefined): string | null {
  // A closed socket has no address, whatever the types say.
  const { ip }: { ip?: string } = request ?? {};
  const address = ip?.replace(/%.*$/, "") ?? "";
  return isIP(address) === 0 ? null : address;
}
