import type { AppParts } from "@millrace/contract";
import { expect, test } from "vitest";
import { droppedEvents, keep } from "../statistics/testing/some-rows.ts";
import { twoApps } from "./testing/two-apps.ts";

const { stores, at, owner, tide, ask } = await twoApps();

test("without a comparison every figure of one is null, and the graph has one line", async () => {
  const parts = (await ask(
    "&func=totals&func=stats&func=graph_data&func=top_formats&view=country&compare=none",
  )) as AppParts;
  const last = Object.entries(parts.totals).filter(([name]) => name.startsWith("last_"));
  expect(last).toHaveLength(11);
  expect(new Set(last.map(([, value]) => value))).toEqual(new Set([null]));
  expect(parts.stats.stats.map((row) => row.last_revenue)).toEqual([null, null, null]);
  expect(parts.top_formats.map((row) => row.last_revenue)).toEqual([null, null]);
  const { dates, series, pace } = parts.graph_data;
  expect([dates[1], series.last_revenue, pace]).toEqual([[], undefined, null]);
  expect([parts.totals.compared_until, parts.stats.compared_until]).toEqual([null, null]);
});

test("a key that earned only before has a row, so that the rows add up to the total of both periods", async () => {
  const range = "ds=2024-11-19&de=2024-11-19&func=stats&view=zone";
  const { stats } = (await at.get(owner, `/apps/${tide.uuid}/stats.json?${range}`)).body as AppParts;
  const rows = stats.stats.map(({ id, requests, revenue, last_revenue: last }) => [id, requests, revenue, last]);
  expect(rows).toEqual([
    ["main", 1, 0, 1500],
    ["end", 1, 4001, 0],
  ]);
  expect(stats.total.last_revenue).toBe(1500);
});

test("the table by provider says how many requests its rows count together, as one is sent to several", async () => {
  const { stats } = (await ask("&func=stats&view=provider")) as AppParts;
  expect([stats.requests_sent, stats.total.requests]).toEqual([7, 4]);
});

test("what was not counted is told with its reason, beside what was", async () => {
  const { not_counted: told } = (await ask("&func=not_counted")) as AppParts;
  expect(told).toEqual([{ reason: "replayed", text: "The same event was sent again", impressions: 1, clicks: 0 }]);
  const through = (await ask("&func=not_counted&provider=borealis")) as AppParts;
  expect(through.not_counted).toEqual([]);
  await keep(stores.clickhouse, {
    dropped_events: [droppedEvents("2024-11-19T11:00:00Z", { app_id: tide.id, events: 70 })],
  });
  const flooded = (await ask("&func=not_counted&country=US")) as AppParts;
  expect(flooded.not_counted.map(({ reason, impressions, clicks }) => [reason, impressions, clicks])).toEqual([
    ["device_flood", 0, 70],
    ["replayed", 1, 0],
  ]);
});
