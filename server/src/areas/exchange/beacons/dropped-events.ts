import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { type DroppedEventsRow, type EventRow, type EventSink, atSeconds } from "../../statistics/index.ts";

type Counted = Omit<DroppedEventsRow, "at" | "events">;

/** Until a flush, a flood of one kind is one entry; this many kinds are flushed early. */
const MAX_ENTRIES = 1000;

/**
 * Counts the events of floods that are not kept as rows, so that what was not counted can be told in full. Counts reach the
 * journal every few seconds; a crash loses those of the last seconds.
 */
export class DroppedEvents {
  readonly #deps: { events: EventSink; clock: Clock; log: Log };
  #counts = new Map<string, { counted: Counted; events: number }>();

  constructor(deps: { events: EventSink; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** Counts an invalid event that belongs to an app. */
  add({ kind, app_id, format, country, provider, invalid }: EventRow): void {
    if (app_id === 0 || (kind !== "impression" && kind !== "click")) return;
    const counted = { kind, app_id, format, country, provider, invalid };
    const key = Object.values(counted).join(" ");
    const known = this.#counts.get(key);
    if (known) known.events += 1;
    else this.#counts.set(key, { counted, events: 1 });
    if (this.#counts.size >= MAX_ENTRIES) void this.flush();
  }

  /** Hands the counts to the journal. Those that it does not take are tried again with the next flush. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    const at = atSeconds(this.#deps.clock.now());
    try {
      const rows = [...counts.values()].map(({ counted, events }) => ({ at, ...counted, events }));
      await this.#deps.events.appendAll("dropped_events", rows);
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        "counts of dropped events could not be stored and are kept for the next time",
      );
      for (const [key, { counted, events }] of counts) {
        const known = this.#counts.get(key);
        if (known) known.events += events;
        // A store that is away for long must not fill the memory.
        else if (this.#counts.size < MAX_ENTRIES) this.#counts.set(key, { counted, events });
      }
    }
  }
}
