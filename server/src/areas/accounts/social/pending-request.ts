import type { SignUpRole, SocialService } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { isToken, newToken } from "../../../platform/secrets/token.ts";
import type { Accounts } from "../deps.ts";
import { PENDING_SECONDS } from "./pending-seconds.ts";
import { socialBinding } from "./social-binding.ts";

/** The state between two steps of a social sign-in. Each step ends its request; the next one has a new `reqid`. */
type Pending =
  /** The browser is at the identity provider; `reqid` is the `state` it brings back (RFC 6749, section 10.12). */
  | {
      step: "away";
      nonce: string;
      verifier: string;
      role: SignUpRole;
      redirectTo: string | null;
      /** The signed-in user who is linking, or null for a sign-in. */
      linkUserId: number | null;
    }
  /** The user is known and has to enter an authenticator code. */
  | { step: "code"; userId: number; subject: string; email: string | null; redirectTo: string }
  /** The user is new and has to prove an e-mail. */
  | { step: "identity"; subject: string };
type Step = Pending["step"];
export type PendingAt<S extends Step> = Extract<Pending, { step: S }>;

interface PendingKey<S extends Step> {
  reqid: string;
  step: S;
  service?: SocialService;
}

interface Found<S extends Step> {
  service: SocialService;
  payload: PendingAt<S>;
}

type Deps = Pick<Accounts, "pool" | "clock">;

/** Stores a pending step for this browser only, and returns the 256-bit `reqid` that finds it. */
export async function keepPending(
  { pool, clock }: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { service, pending }: { service: SocialService; pending: Pending },
): Promise<string> {
  const reqid = newToken();
  await pool.query(
    "INSERT INTO social_requests (reqid, binding_hash, service, payload, expires_at) VALUES ($1, $2, $3, $4, $5)",
    [
      reqid,
      socialBinding.bind(request, reply),
      service,
      JSON.stringify(pending),
      new Date(clock.now() + PENDING_SECONDS * 1000),
    ],
  );
  return reqid;
}

const MATCHES = `reqid = $1 AND binding_hash = $2 AND payload->>'step' = $3 AND expires_at > $4
                 AND service = coalesce($5, service)`;

/**
 * Takes a pending step, once and only for the browser that began it: of several concurrent requests one gets it, the
 * others get null.
 */
export async function takePending<S extends Step>(
  deps: Deps,
  request: FastifyRequest,
  key: PendingKey<S>,
): Promise<Found<S> | null> {
  return queryPending(deps, request, key, `DELETE FROM social_requests WHERE ${MATCHES} RETURNING service, payload`);
}

/** The same without ending it. */
export async function findPending<S extends Step>(
  deps: Deps,
  request: FastifyRequest,
  key: PendingKey<S>,
): Promise<Found<S> | null> {
  return queryPending(deps, request, key, `SELECT service, payload FROM social_requests WHERE ${MATCHES}`);
}

async function queryPending<S extends Step>(
  { pool, clock }: Deps,
  request: FastifyRequest,
  { reqid, step, service }: PendingKey<S>,
  sql: string,
): Promise<Found<S> | null> {
  const binding = socialBinding.read(request);
  // A return's `state` can be anything, and PostgreSQL's texts hold no U+0000.
  if (binding === null || !isToken(reqid)) return null;
  const { rows } = await pool.query<Found<S>>(sql, [reqid, binding, step, new Date(clock.now()), service ?? null]);
  return rows[0] ?? null;
}

/**
 * Takes the identity of a pending sign-up that has no proven e-mail, by its `reqid`, once and only for the same
 * browser. Null if there is none or ten minutes have passed.
 */
export async function takePendingIdentity(
  accounts: Accounts,
  request: FastifyRequest,
  reqid: string,
): Promise<{ service: SocialService; subject: string } | null> {
  const found = await takePending(accounts, request, { reqid, step: "identity" });
  return found && { service: found.service, subject: found.payload.subject };
}

export async function deleteExpiredRequests(pool: Pool, now: Date): Promise<void> {
  await pool.query("DELETE FROM social_requests WHERE expires_at <= $1", [now]);
}
