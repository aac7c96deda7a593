import type { Reply, dashFilters, listApps, publisherChanges, publisherStats } from "@millrace/contract";
import { expect, test } from "vitest";
import { DAYS, twoApps } from "./testing/two-apps.ts";

const { at, owner, tide, chess } = await twoApps();

/** A guest who sees one of the owner's two apps. */
const headers = { "x-account": String(owner), "x-apps": String(chess.id) };
const ask = (url: string) => at.server.inject({ url, headers });
const read = async <T>(url: string) => (await ask(url)).json<T>();

test("the list, its search and its totals have the chosen app alone", async () => {
  const list = await read<Reply<typeof listApps>>(`/apps.json?${DAYS}`);
  expect(list.apps.map(({ name }) => name)).toEqual(["=Chess"]);
  expect(list.totals).toMatchObject({ requests: 1, revenue: 0, uniques: 1, sessions: 0 });
  expect((await read<Reply<typeof listApps>>(`/apps.json?${DAYS}&search=tide`)).apps).toEqual([]);
  // A filter cannot reach further.
  const asked = await read<Reply<typeof listApps>>(`/apps.json?${DAYS}&app_id=${tide.id}`);
  expect([asked.apps, asked.totals.requests]).toEqual([[], 0]);
});

test("the filters' choices are the chosen app's: its name, its countries and its first day", async () => {
  expect(await read<Reply<typeof dashFilters>>("/apps/dash_filters.json")).toMatchObject({
    apps: { [chess.id]: "=Chess" },
    countries: { US: "United States" },
    first_day: "2024-11-19",
    first_days: { [chess.id]: "2024-11-19" },
  });
});

test("all apps together are the chosen app alone: totals, tables, changes and files", async () => {
  const totals = (await read<Reply<typeof publisherStats>>(`/apps/performance/stats?${DAYS}&func=totals`)) as object;
  expect(totals).toMatchObject({ totals: { requests: 1, revenue: 0, impressions: 0 } });
  const changes = await read<Reply<typeof publisherChanges>>(`/apps/performance/changes.json?${DAYS}`);
  expect(JSON.stringify(changes)).not.toContain("Tide");
  const table = await ask(`/apps/performance/stats.csv?${DAYS}&view=date`);
  const whole = await at.server.inject({
    url: `/apps/performance/stats.csv?${DAYS}&view=date`,
    headers: { "x-account": String(owner) },
  });
  expect([table.statusCode, whole.statusCode]).toEqual([200, 200]);
  expect(whole.body).toContain("0.0055");
  expect(table.body).not.toContain("0.0055");
});

test("another app of the account is not found", async () => {
  const paths = ["stats.json", "stats.csv", "stats.pdf", "requests.json", "changes.json", "annotations.json"];
  for (const path of paths) {
    expect([path, (await ask(`/apps/${tide.uuid}/${path}?${DAYS}`)).statusCode]).toEqual([path, 404]);
    expect([path, (await ask(`/apps/${chess.uuid}/${path}?${DAYS}`)).statusCode]).toEqual([path, 200]);
  }
});

test("a person who has no chosen app left reaches none, neither in lists nor in figures", async () => {
  const none = { "x-account": String(owner), "x-apps": "" };
  const ofNone = async (url: string) => (await at.server.inject({ url, headers: none })).json<unknown>();
  expect(await ofNone(`/apps.json?${DAYS}`)).toMatchObject({ apps: [], totals: { requests: 0, uniques: 0 } });
  expect(await ofNone("/apps/dash_filters.json")).toMatchObject({ apps: {}, countries: {}, first_days: {} });
  expect(await ofNone(`/apps/performance/stats?${DAYS}&func=totals`)).toMatchObject({ totals: { requests: 0 } });
  for (const { uuid } of [tide, chess]) {
    const { statusCode } = await at.server.inject({ url: `/apps/${uuid}/stats.json?${DAYS}`, headers: none });
    expect(statusCode).toBe(404);
  }
});
