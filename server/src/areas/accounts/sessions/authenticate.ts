import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { bearerOf, type Caller } from "../../../platform/http/caller.ts";
import { isToken, tokenHash } from "../../../platform/secrets/token.ts";
import { callerByToken } from "../profile/access-token-store.ts";
import { sessionCookie } from "./session-cookie.ts";
import { findSession } from "./session-store.ts";

/** Identifies the caller by an access token in `Authorization: Bearer` (RFC 6750) or else by the session cookie. */
export async function authenticate(
  { pool, clock }: { pool: Pool; clock: Clock },
  request: FastifyRequest,
): Promise<Caller | null> {
  const bearer = bearerOf(request);
  if (bearer !== undefined) return callerByToken({ pool, clock }, bearer);
  const token = sessionCookie.read(request);
  if (token === undefined || !isToken(token)) return null;
  const hash = tokenHash(token);
  const found = await findSession(pool, hash, new Date(clock.now()));
  if (!found) return null;
  const { canApps, canCampaign, ...session } = found;
  return {
    ...session,
    roles: { can_apps: canApps, can_campaign: canCampaign },
    is_switched: session.impersonatorId !== null,
    has_all_apps: session.appIds === null,
    sessionHash: hash,
    byToken: false,
  };
}
