import { expect, test } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import type { DroppedEventsRow, EventRow } from "../../statistics/index.ts";
import { DroppedEvents } from "./dropped-events.ts";

const event = (some: Partial<EventRow>): EventRow =>
  ({
    at: "0",
    kind: "click",
    app_id: 1,
    format: "banner",
    country: "US",
    provider: "aurora",
    invalid: "device_flood",
    ...some,
  }) as EventRow;

function dropping() {
  const state = { stored: [] as DroppedEventsRow[], fails: false };
  const events = {
    append: async () => undefined,
    async appendAll(_table: string, rows: readonly unknown[]) {
      if (state.fails) throw new Error("the disk is full");
      state.stored.push(...(rows as DroppedEventsRow[]));
    },
  };
  return { state, dropped: new DroppedEvents({ events, clock: { now: () => 1_700_000_000_000 }, log: silentLog }) };
}

test("dropped events are summed by what they have in common, and stored once", async () => {
  const { state, dropped } = dropping();
  for (const some of [{}, {}, { kind: "impression" as const }, { app_id: 2 }]) dropped.add(event(some));
  await dropped.flush();
  await dropped.flush();
  expect(state.stored.map(({ at, kind, app_id: app, events }) => [at, kind, app, events])).toEqual([
    ["1700000000.000", "click", 1, 2],
    ["1700000000.000", "impression", 1, 1],
    ["1700000000.000", "click", 2, 1],
  ]);
});

test("forged beacons and pings belong to no app's figure", async () => {
  const { state, dropped } = dropping();
  dropped.add(event({ app_id: 0, invalid: "forged" }));
  dropped.add(event({ kind: "ping" }));
  await dropped.flush();
  expect(state.stored).toEqual([]);
});

test("counts that could not be stored are stored with the next ones", async () => {
  const { state, dropped } = dropping();
  state.fails = true;
  dropped.add(event({}));
  await dropped.flush();
  dropped.add(event({}));
  state.fails = false;
  await dropped.flush();
  expect(state.stored.map(({ events }) => events)).toEqual([2]);
});
