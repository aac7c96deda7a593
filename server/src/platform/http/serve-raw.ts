import type { Call } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** `performance.now()` when the request's head had been read; only on raw routes. */
    arrivedAt: number;
  }
  interface FastifyInstance {
    /** Decides by its head whether a call of a raw scope may go on; throws a Problem if not. */
    admit: Admit | undefined;
  }
}

/** Refuses a call that may not go on. */
export type Admit = (request: FastifyRequest, call: Call) => void;

/**
 * Which origins' pages may read the reply: `any` without credentials, or the requesting one with them (`echo`), for
 * players and clients that always send credentials. Both are safe: a raw route reads and sets no cookies, so every user
 * gets the same reply.
 */
export type Cors = "any" | "echo";

/**
 * A scope for calls on the hot path. Bodies arrive as text, whatever their type (pages that avoid a preflight send JSON
 * as text/plain), up to `bodyLimit` after unpacking. `admit` refuses a call before its body is read.
 */
export function rawScope(
  app: FastifyInstance,
  { bodyLimit, admit }: { bodyLimit: number; admit?: Admit },
  routes: (scope: FastifyInstance) => void,
): void {
  void app.register(async (scope) => {
    scope.decorateRequest("arrivedAt", 0);
    scope.decorate("admit", admit);
    scope.addHook("onRequest", (request, _reply, done) => {
      request.arrivedAt = performance.now();
      done();
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
    routes(scope);
  });
}

/**
 * Serves a call of the contract without the schema checks of `serve`: the handler validates by hand, replies itself,
 * and must not depend on cookies, because every origin may call. Preflights are answered here.
 */
export function serveRaw(
  scope: FastifyInstance,
  call: Call,
  cors: Cors,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>,
): void {
  if (call.access !== "public" && call.access !== "device")
    throw new Error(`${call.path} is not open to devices: bind it with serve()`);
  scope.route({
    method: call.method,
    url: call.path,
    // HEAD would run the handler: a link checker would click, and hold auctions.
    exposeHeadRoute: false,
    decompress: { requestEncodings: ["gzip", "deflate", "br", "zstd", "identity"] },
    onRequest: (request, reply, done) => {
      // First, so that pages can read refusals too.
      openTo(cors, request, reply);
      scope.admit?.(request, call);
      done();
    },
    handler,
  });
  if (scope.hasRoute({ method: "OPTIONS", url: call.path })) return;
  scope.options(call.path, async (request, reply) => {
    openTo(cors, request, reply);
    return reply
      .headers({
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "content-type",
        "access-control-max-age": "86400",
      })
      .status(204)
      .send();
  });
}

function openTo(cors: Cors, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header("cross-origin-resource-policy", "cross-origin");
  const origin = request.headers.origin;
  if (cors === "any") void reply.header("access-control-allow-origin", "*");
  else {
    void reply.header("vary", "Origin");
    if (origin === undefined) return;
    void reply.headers({ "access-control-allow-origin": origin, "access-control-allow-credentials": "true" });
  }
}
