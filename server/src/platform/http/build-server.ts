import cookie from "@fastify/cookie";
import compress from "@fastify/compress";
import Fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyReply } from "fastify";
import type { Server } from "node:http";
import { isDiskFull } from "../disk-space.ts";
import type { Log } from "../log.ts";
import { isConnectionLoss } from "../retry-on-connection-loss.ts";
import { OPEN_BODY_BYTES } from "./body-limits.ts";
import type { CallLimits } from "./call-limits.ts";
import type { Authenticate } from "./caller.ts";
import { forwardingServer } from "./forward.ts";
import { answerInTurn } from "./in-turn.ts";
import { nameCodings } from "./name-codings.ts";
import { secureHeaders } from "./secure-headers.ts";
import { type ErrorReply, TEXTS } from "@millrace/contract";
import { Problem } from "./problem.ts";
import { SLOWEST_REQUEST_MS, limitSlowBodies, readUnreadBodies } from "./slow-bodies.ts";
import { type StuckTimes, endStuckClients } from "./stuck-clients.ts";

const KEEP_ALIVE_MS = 65_000;

/** The HTTP server that every area adds its routes to: cookies, limits, security headers, one form of failure. */
export async function buildServer(deps: {
  log: Log;
  trustedProxies: number;
  authenticate: Authenticate;
  callLimits?: CallLimits;
  /** The socket of the process that answers what this one does not. */
  forwardTo?: string | undefined;
  stuckTimes?: StuckTimes;
}): Promise<FastifyInstance> {
  const http = { headersTimeout: 10_000, connectionsCheckingInterval: 5000, requestTimeout: SLOWEST_REQUEST_MS };
  const forwarding =
    deps.forwardTo === undefined
      ? undefined
      : forwardingServer(
          { socket: deps.forwardTo, trustedProxies: deps.trustedProxies },
          { ...http, keepAliveTimeout: KEEP_ALIVE_MS },
        );
  const server: Pick<FastifyHttpOptions<Server>, "http" | "serverFactory"> = forwarding
    ? { serverFactory: forwarding.factory }
    : { http };
  const app = Fastify({
    logger: false,
    // Trusts only as many hops of X-Forwarded-For as the operator has proxies.
    trustProxy: (_address, hop) => hop < deps.trustedProxies,
    // `serve` and raw scopes have limits of their own.
    bodyLimit: OPEN_BODY_BYTES,
    // `serve` refuses these by name; the parser would call the body no JSON.
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    // A client that sends its request in drips is cut off, see `limitSlowBodies`.
    requestTimeout: http.requestTimeout,
    ...server,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 256 },
    // An address that cannot be read passes no error handler.
    frameworkErrors: (error, _request, reply: FastifyReply) =>
      void reply.status(statusOf(error)).send({ error: error.message } satisfies ErrorReply),
  });
  forwarding?.learn(app);
  app.decorate("authenticate", deps.authenticate);
  app.decorate("callLimits", deps.callLimits);
  app.decorateRequest("caller", null);
  handleErrors(app, deps.log);
  answerInTurn(app);
  endStuckClients(app, deps.stuckTimes);
  limitSlowBodies(app);
  readUnreadBodies(app);
  nameCodings(app);
  await app.register(cookie);
  // Callers of the dashboard never compress bodies, and a few bytes could unpack to the largest allowed, so only raw scopes
  // accept compressed ones.
  await app.register(compress, { threshold: 2048, requestEncodings: ["identity"] });
  secureHeaders(app);
  return app;
}

/** Retry-After for a store that is unreachable or out of space. */
const STORE_RETRY_SECONDS = 5;

/** Turns every failure into `{error}` with its status. A 5xx never shows its cause, which goes to the log. */
function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof Problem) {
      if (error.retryAfterSeconds !== undefined) void reply.header("retry-after", error.retryAfterSeconds);
      // RFC 9110, section 11.6.1: a 401 names a way to authenticate. This one opens no dialog in browsers.
      if (error.code === "unauthenticated") void reply.header("www-authenticate", "Bearer");
      return reply.status(error.status).send({ error: error.error } satisfies ErrorReply);
    }
    const status = statusOf(error);
    if (status < 500 && error instanceof Error) {
      return reply.status(status).send({ error: error.message } satisfies ErrorReply);
    }
    if (isDiskFull(error) || isConnectionLoss(error)) {
      log.error({ err: error, method: request.method, url: request.routeOptions.url }, "a store cannot be used");
      const reasonless = { error: TEXTS.unavailable } satisfies ErrorReply;
      return reply.status(503).header("retry-after", STORE_RETRY_SECONDS).send(reasonless);
    }
    log.error({ err: error, method: request.method, url: request.routeOptions.url }, "request failed");
    return reply.status(500).send({ error: TEXTS.requestFailed } satisfies ErrorReply);
  });
}

/** Fastify's own errors (invalid JSON, too large, unsupported type) have their status. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
