import type { PlatformFigures } from "@millrace/contract";
import type { Registry } from "prom-client";

type SinceStart = PlatformFigures["since_start"];

/** What the process has counted since it started, as `/metrics` shows it. */
export async function sinceStart(metrics: Registry, nowMs: number): Promise<SinceStart> {
  const [imps, invalid_events, notices, refused_vast, paused] = await Promise.all(
    [
      "millrace_imps_total",
      "millrace_invalid_events_total",
      "millrace_notices_total",
      "millrace_refused_vast_total",
      "millrace_paused_partners",
    ].map((name) => countsOf(metrics, name)),
  );
  return {
    started_at: new Date(nowMs - process.uptime() * 1000).toISOString(),
    imps: imps ?? [],
    invalid_events: invalid_events ?? [],
    notices: notices ?? [],
    refused_vast: refused_vast ?? [],
    paused_partners: paused?.[0]?.count ?? 0,
  };
}

/** A metric's values by their label `result`, the largest first; none if it is not registered. */
async function countsOf(metrics: Registry, name: string): Promise<SinceStart["imps"]> {
  const metric = await metrics.getSingleMetric(name)?.get();
  return (metric?.values ?? [])
    .map(({ labels, value }) => ({ result: String(labels["result"] ?? ""), count: value }))
    .toSorted((a, b) => b.count - a.count);
}
