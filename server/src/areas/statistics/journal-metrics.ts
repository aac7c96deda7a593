import { Gauge, type Registry } from "prom-client";
import type { Journal } from "../../platform/journal/journal.ts";

/** Exposes what this process's journal holds to Prometheus; values are read at each scrape. */
export function exposeJournal(registry: Registry, journal: Pick<Journal, "backlog" | "delays">): void {
  for (const [name, help, read] of [
    ["millrace_journal_segments", "Files of the journal that wait for ClickHouse", () => journal.backlog().segments],
    ["millrace_journal_bytes", "Bytes of the journal that wait for ClickHouse", () => journal.backlog().bytes],
    [
      "millrace_journal_oldest_seconds",
      "How long the oldest of these files has waited since it was complete or the process started",
      () => journal.delays().oldestMs / 1000,
    ],
    [
      "millrace_journal_refused_files",
      "Files of rows that ClickHouse has refused since the process started",
      () => journal.delays().refused,
    ],
  ] as const) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  }
}
