import type { FastifyInstance } from "fastify";
import { type Registry, collectDefaultMetrics } from "prom-client";

/** Checks a part that the platform needs to serve: resolves if it works. */
export type Check = () => Promise<unknown>;

export interface CheckTimes {
  /** A check that takes longer counts as failed. */
  timeoutMs: number;
  /** How long an outcome is reused without another check. */
  freshMs: number;
}

const TIMES: CheckTimes = { timeoutMs: 2_000, freshMs: 1_000 };

/**
 * `/healthz`: the process answers. `/readyz`: 200 if all named parts work, else 503 with those that do not. `/metrics`:
 * Prometheus text of the given registry and of the process. For the operator's network; a proxy keeps them from the
 * public.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: Record<string, Check>,
  metrics: Registry,
  times: CheckTimes = TIMES,
): void {
  collectDefaultMetrics({ register: metrics });
  const cached = Object.entries(checks).map(([name, check]) => [name, cachedCheck(check, times)] as const);
  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async (_request, reply) => {
    const parts = await Promise.all(
      cached.map(async ([name, works]) => [name, (await works()) ? "ok" : "down"] as const),
    );
    const ok = parts.every(([, state]) => state === "ok");
    return reply.status(ok ? 200 : 503).send({ ok, parts: Object.fromEntries(parts) });
  });
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

/**
 * Whether a check passes. It runs one at a time and its outcome is cached, so any number of probes costs one check a
 * second. A hanging check is not started again.
 */
function cachedCheck(check: Check, { timeoutMs, freshMs }: CheckTimes): () => Promise<boolean> {
  let outcome: Promise<boolean> | undefined;
  let isPending = false;
  let freshUntilMs = 0;

  async function run(): Promise<boolean> {
    isPending = true;
    const passes = check().then(
      () => true,
      () => false,
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    void passes.then(() => {
      clearTimeout(timer);
      isPending = false;
      freshUntilMs = performance.now() + freshMs;
    });
    return Promise.race([passes, late]);
  }

  return () => {
    if (outcome === undefined || (!isPending && performance.now() >= freshUntilMs)) outcome = run();
    return outcome;
  };
}
