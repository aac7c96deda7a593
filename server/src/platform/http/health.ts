import type { FastifyInstance } from "fastify";
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from "prom-client";

/** Checks a part that the platform needs to serve: resolves if it works. */
export type Check = () => Promise<unknown>;

export interface CheckTimes {
  /** A check that takes longer counts as failed. */
  timeoutMs: number;
  /** How long an outcome is reused without another check. */
  freshMs: number;
}

type Parts = Record<string, "ok" | "down">;
type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What a process says about itself. */
export interface ProcessReport {
  parts: Parts;
  metrics: Metrics;
}

/** The processes of a platform that serve one address. */
export interface Processes {
  /** Tells how this process reports when another one is asked. */
  answerWith(report: () => Promise<ProcessReport>): void;
  /** What all say, this one included; null for one that does not answer, and for all if nobody knows them. */
  reports(): Promise<ReadonlyMap<string, ProcessReport | null> | null>;
}

const TIMES: CheckTimes = { timeoutMs: 2_000, freshMs: 1_000 };

/**
 * `/healthz`: the process answers. `/servez`: 200 if this process can serve, else 503, whatever the parts do that it
 * shares with others. `/readyz`: 200 if all parts work, else 503, with the state of each. `/metrics`: Prometheus text of
 * the given registry and of the process. With several processes, the latter two answer for all of them, and each metric
 * has the label `process`. They are for the operator's network; a proxy keeps them from the public.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: Record<string, Check>,
  metrics: Registry,
  {
    own = {},
    times = TIMES,
    processes,
  }: {
    /** Checks of what this process has for itself: where one fails, others may serve instead. */
    own?: Record<string, Check>;
    times?: CheckTimes;
    processes?: Processes | undefined;
  } = {},
): void {
  collectDefaultMetrics({ register: metrics });
  const cachedOf = (all: Record<string, Check>) =>
    Object.entries(all).map(([name, check]) => [name, cachedCheck(check, times)] as const);
  const cachedOwn = cachedOf(own);
  const cached = [...cachedOf(checks), ...cachedOwn];
  async function ownParts(): Promise<Parts> {
    const states = cached.map(async ([name, works]) => [name, (await works()) ? "ok" : "down"] as const);
    return Object.fromEntries(await Promise.all(states));
  }
  processes?.answerWith(async () => ({ parts: await ownParts(), metrics: await metrics.getMetricsAsJSON() }));

  app.get("/healthz", async () => ({ ok: true }));
  app.get("/servez", async (_request, reply) => {
    const states = await Promise.all(cachedOwn.map(([, works]) => works()));
    const ok = states.every(Boolean);
    return reply.status(ok ? 200 : 503).send({ ok });
  });
  app.get("/readyz", async (_request, reply) => {
    const ready = processes ? readinessOf(await processes.reports()) : { parts: await ownParts() };
    const ok = Object.values({ ...ready.parts, ...ready.processes }).every((state) => state === "ok");
    return reply.status(ok ? 200 : 503).send({ ok, ...ready });
  });
  app.get("/metrics", async (_request, reply) => {
    const all = processes ? metricsOf((await processes.reports()) ?? new Map()) : metrics;
    return reply.type(metrics.contentType).send(await all.metrics());
  });
}

/** A part is down if it is for any process. */
function readinessOf(reports: Awaited<ReturnType<Processes["reports"]>>): { parts: Parts; processes?: Parts } {
  if (!reports) return { parts: { processes: "down" } };
  const parts: Parts = {};
  const processes: Parts = {};
  for (const [process, report] of reports) {
    processes[process] = report && Object.values(report.parts).every((state) => state === "ok") ? "ok" : "down";
    for (const [name, state] of Object.entries(report?.parts ?? {})) if (parts[name] !== "down") parts[name] = state;
  }
  return { parts, processes };
}

/** Metrics of all processes, labelled with their names. */
function metricsOf(reports: ReadonlyMap<string, ProcessReport | null>): Registry {
  const labelled = [...reports].map(([process, report]) =>
    (report?.metrics ?? []).map((metric) => ({
      ...metric,
      // No two values have the same labels, so that there is nothing to add up, or to leave out.
      aggregator: "sum",
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
    })),
  );
  return AggregatorRegistry.aggregate(labelled);
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
