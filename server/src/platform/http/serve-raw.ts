import { type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Call } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** `performance.now()` when the request's head had been read; only on raw routes. */
    arrivedAt: number;
  }
}

/** Which pages of other origins may read the reply: every one without cookies, or the asking one with them. */
export type Cors = "any" | "echo";

/**
 * A scope for calls on the hot path: bodies arrive as text, whatever type they claim (a page that wants no preflight sends
 * JSON as text/plain), gzip is unpacked below `bodyLimit`, and nothing else is done to them.
 */
export function rawScope(app: FastifyInstance, bodyLimit: number, routes: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.decorateRequest("arrivedAt", 0);
    scope.addHook("onRequest", async (request) => {
      request.arrivedAt = performance.now();
    });
    scope.addHook("preParsing", async (request, _reply, payload) => unpacked(request, payload));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
    routes(scope);
  });
}

/**
 * Serves one call of the contract without the schema checks of `serve`: the handler checks by hand, answers by itself, and
 * must not depend on cookies, since every origin may call. Preflights are answered for it.
 */
export function serveRaw(
  scope: FastifyInstance,
  call: Call,
  cors: Cors,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  if (Array.isArray(call.access)) throw new Error(`${call.path} is not open to devices: bind it with serve()`);
  scope.route({
    method: call.method,
    url: call.path,
    onRequest: async (request, reply) => openTo(cors, request, reply),
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
  else if (origin !== undefined) {
    void reply.headers({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      vary: "Origin",
    });
  }
}

function unpacked(request: FastifyRequest, payload: Readable): Readable {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return payload;
  if (encoding !== "gzip") throw new Problem("invalid", { "content-encoding": "must be gzip or left out" });
  let encoded = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      encoded += chunk.length;
      done(null, chunk);
    },
  });
  const inflated = createGunzip();
  // The framework holds this against Content-Length, and the bytes that come out against the body's limit.
  Object.defineProperty(inflated, "receivedEncodedLength", { get: () => encoded });
  payload.once("error", (error) => inflated.destroy(error));
  return payload.pipe(counted).pipe(inflated);
}
