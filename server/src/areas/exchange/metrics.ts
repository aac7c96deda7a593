import type { VastFault } from "@millrace/openrtb";
import { Counter, Gauge, type Registry } from "prom-client";
import type { RecordDeps } from "./auction/record-auction.ts";
import type { BeaconDeps } from "./beacons/event-draft.ts";

/** Counters since the start, as plain numbers, which cost nothing to update. */
export type Tally = BeaconDeps["tally"] &
  RecordDeps["tally"] & {
    /** Video and audio bids with unusable markup, by reason. */
    refusedVast: Map<VastFault, number>;
  };

export const newTally = (): Tally => ({ sold: 0, unsold: new Map(), invalid: new Map(), refusedVast: new Map() });

/** The counters as objects, by what they count. */
export const countsOf = ({ sold, unsold, invalid, refusedVast }: Tally) => ({
  imps: { sold, ...Object.fromEntries(unsold) },
  invalid_events: Object.fromEntries(invalid),
  refused_vast: Object.fromEntries(refusedVast),
});

export interface Readings {
  tally: Tally;
  connections(): number;
  pausedPartners(): number;
  notices(): Record<string, number>;
  seenEvents(): number;
}

/** Exposes the exchange's metrics to Prometheus; values are read at each scrape. */
export function exposeMetrics(registry: Registry | undefined, readings: Readings): void {
  if (!registry) return;
  registry.registerMetric(
    counterOf("millrace_imps_total", "Imps auctioned, by how they ended: sold, or the reason of no ad", () => [
      ["sold", readings.tally.sold],
      ...readings.tally.unsold,
    ]),
  );
  registry.registerMetric(
    counterOf("millrace_invalid_events_total", "Impressions and clicks that do not count, by reason", () => [
      ...readings.tally.invalid,
    ]),
  );
  registry.registerMetric(
    counterOf("millrace_refused_vast_total", "Video and audio bids whose markup could not be used, by why", () => [
      ...readings.tally.refusedVast,
    ]),
  );
  registry.registerMetric(
    counterOf("millrace_notices_total", "Win, billing and loss notices to bidders, by how they ended", () =>
      Object.entries(readings.notices()),
    ),
  );
  for (const [name, help, read] of [
    ["millrace_partner_connections", "Open connections to demand partners", readings.connections],
    ["millrace_paused_partners", "Demand partners whose circuit breaker is not closed", readings.pausedPartners],
    [
      "millrace_seen_events",
      "Events, and places that ads filled, remembered so that a repetition is known",
      readings.seenEvents,
    ],
  ] as const) {
    registry.registerMetric(gaugeOf(name, help, read));
  }
}

const counterOf = (name: string, help: string, read: () => [result: string, count: number][]) =>
  new Counter({
    name,
    help,
    labelNames: ["result"],
    registers: [],
    collect() {
      this.reset();
      for (const [result, count] of read()) this.inc({ result }, count);
    },
  });

const gaugeOf = (name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
