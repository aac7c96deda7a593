import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Caller } from "../../../platform/http/serve.ts";
import { callerByToken } from "../profile/access-token-store.ts";
import { readSessionCookie } from "./session-cookie.ts";
import { findSession } from "./session-store.ts";
import { sessionHash } from "./session-token.ts";

const LONGEST_TOKEN = 128;

/** Who asks: by the session's cookie, or by an access token in `Authorization: Bearer` (RFC 6750), which goes first. */
export async function authenticate(
  { pool, clock }: { pool: Pool; clock: Clock },
  request: FastifyRequest,
): Promise<Caller | null> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return callerByToken({ pool, clock }, bearer);
  const token = readSessionCookie(request);
  if (token === undefined || token.length > LONGEST_TOKEN) return null;
  const hash = sessionHash(token);
  const found = await findSession(pool, hash, new Date(clock.now()));
  if (!found) return null;
  const { canApps, canCampaign, ...session } = found;
  return {
    ...session,
    roles: { can_apps: canApps, can_campaign: canCampaign },
    is_switched: session.switchedBy !== null,
    sessionHash: hash,
    byToken: false,
  };
}
