import type { Session } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Area } from "../../platform/area.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Caller } from "../../platform/http/serve.ts";
import { accountRoutes } from "./routes.ts";
import { readSessionCookie } from "./session-cookie.ts";
import { sessionHash } from "./session-token.ts";
import { deleteEndedSessions, findSession } from "./store.ts";

export { hashPassword } from "./passwords.ts";
export { insertOwner, findUserByEmail, setPasswordHash } from "./store.ts";

export interface AccountsDeps {
  pool: Pool;
  clock: Clock;
  /** What an account's apps have earned; the statistics area knows it. */
  earningsOf(accountId: number): Promise<{ balanceMicros: number; revenueTodayMicros: number }>;
  demoStatus(): Session["demo"];
}

const CLEANUP_EVERY_MS = 3_600_000;

/** Signing in, sessions and who a request speaks for. */
export function accountsArea(
  deps: AccountsDeps,
): Area & { authenticate(request: FastifyRequest): Promise<Caller | null> } {
  let cleanup: NodeJS.Timeout | undefined;
  return {
    name: "accounts",
    routes: (app) => accountRoutes(app, deps),
    start: async () => {
      const clean = () => deleteEndedSessions(deps.pool, new Date(deps.clock.now())).catch(() => undefined);
      cleanup = setInterval(() => void clean(), CLEANUP_EVERY_MS).unref();
    },
    stop: async () => clearInterval(cleanup),
    authenticate: async (request) => {
      const token = readSessionCookie(request);
      if (token === undefined || token.length > 128) return null;
      const hash = sessionHash(token);
      const found = await findSession(deps.pool, hash, new Date(deps.clock.now()));
      return found ? { ...found, sessionHash: hash } : null;
    },
  };
}
