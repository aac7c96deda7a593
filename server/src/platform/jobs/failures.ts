import { Counter, type Registry } from "prom-client";

/** How a failed try of a job went on. */
const OUTCOMES = ["retried", "given_up"] as const;
const KINDS = ["mail", "other"] as const;

/** Notes each failed try of a job. */
export type NoteFailure = (queue: string, outcome: (typeof OUTCOMES)[number]) => void;

/** Counts failed tries for Prometheus. All series are there from the start, so that an alert sees the first failure. */
export function countFailures(registry: Registry | undefined): NoteFailure {
  const counter = new Counter({
    name: "millrace_job_failures_total",
    help: "Failed tries of background jobs since the process started, of mails and of all others, by whether they are tried again",
    labelNames: ["kind", "outcome"],
    registers: registry ? [registry] : [],
  });
  for (const kind of KINDS) for (const outcome of OUTCOMES) counter.inc({ kind, outcome }, 0);
  return (queue, outcome) => counter.inc({ kind: /\bmail\b/.test(queue) ? "mail" : "other", outcome });
}

/** For so long, the failure of a job is remembered. */
const KEPT_DAYS = 30;

/** SQL: remembers the failed jobs that the SQL query `jobs` gives as `id` and `name`, and forgets old ones; returns both of each. */
export const rememberFailedSql = (jobs: string): string => `
  WITH failed AS (${jobs}), old AS (DELETE FROM failed_jobs WHERE failed_at < now() - interval '${KEPT_DAYS} days'),
    kept AS (INSERT INTO failed_jobs (job_id, queue) SELECT id, name FROM failed ON CONFLICT DO NOTHING)
  SELECT id, name FROM failed`;
