import type { ErrorReply } from "@millrace/contract";
import { TEXTS } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Log } from "../log.ts";
import { Problem } from "./problem.ts";

/** Turns every failure into `{error}` with a fitting status. A 5xx never shows its cause: that goes to the log. */
export function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof Problem) {
      if (error.retryAfterSeconds !== undefined) void reply.header("retry-after", error.retryAfterSeconds);
      return reply.status(error.status).send({ error: error.error } satisfies ErrorReply);
    }
    const status = statusOf(error);
    if (status < 500 && error instanceof Error) {
      return reply.status(status).send({ error: error.message } satisfies ErrorReply);
    }
    log.error({ err: error, method: request.method, url: request.routeOptions.url }, "request failed");
    return reply.status(500).send({ error: TEXTS.requestFailed } satisfies ErrorReply);
  });
}

/** Fastify's own refusals (broken JSON, too large, unsupported type) carry their status. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
