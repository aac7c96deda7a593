import type { ClickHouseClient } from "@clickhouse/client";
import { systemClock } from "../../../platform/clock.ts";
import { type AskStore, askStore } from "../ask-store.ts";

/** A way to ask the store that lists what is asked, by the queries' names. */
export function listeningAskStore(stores: { read: ClickHouseClient }): {
  ask: AskStore;
  asked: { name: string; params: Record<string, unknown> }[];
} {
  const store = askStore({ ...stores, clock: systemClock });
  const asked: { name: string; params: Record<string, unknown> }[] = [];
  const ask = Object.assign(
    (async (stat, params, keepMs) => {
      asked.push({ name: stat.name, params });
      return store(stat, params, keepMs);
    }) as AskStore,
    { closed: store.closed, sizes: store.sizes, byDay: store.byDay },
  );
  return { ask, asked };
}
