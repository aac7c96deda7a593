import type { FastifyInstance } from "fastify";
import { type Registry, collectDefaultMetrics } from "prom-client";

/** A part that must work for the platform to serve: resolves when it does. */
export type Check = () => Promise<unknown>;

const CHECK_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process answers. `/readyz`: the named parts work, else 503 with those that do not. `/metrics`: Prometheus
 * text of the given registry and of the process. For the operator's network; a proxy keeps them from the public.
 */
export function serveHealth(app: FastifyInstance, checks: Record<string, Check>, metrics: Registry): void {
  collectDefaultMetrics({ register: metrics });
  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async (_request, reply) => {
    const parts = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await works(check)) ? "ok" : "down"] as const),
    );
    const ok = parts.every(([, state]) => state === "ok");
    return reply.status(ok ? 200 : 503).send({ ok, parts: Object.fromEntries(parts) });
  });
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

async function works(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
