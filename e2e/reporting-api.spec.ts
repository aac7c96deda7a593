import { type AppParts, PublisherPage, type PublisherParts } from "@millrace/contract";
import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { testUsers } from "./support/test-users.ts";
import { clearOfMidnight, dayAgo } from "./support/clear-of-midnight.ts";
import { OWN_PAGE } from "./support/session-of.ts";

const people = testUsers();
clearOfMidnight();
/** Past days, whose numbers no longer change. */
const PAST = `ds=${dayAgo(9)}&de=${dayAgo(3)}`;
const MOST_COUNTRIES = 5;

let context: BrowserContext;
let appStats: string;
beforeAll(async () => {
  context = await people.publisher();
  appStats = `/apps/${await appNamed(context, "Tide Puzzle")}/stats.json`;
});

async function ask<T>(address: string, query: string): Promise<T> {
  const reply = await context.request.get(`${address}?${PAST}&${query}`, { headers: OWN_PAGE });
  expect(reply.status()).toBe(200);
  return (await reply.json()) as T;
}
const ALL_APPS = "/apps/performance/stats";

test("the statistics of all apps without func have the page's field names and the numbers of the parts", async () => {
  const page = PublisherPage.parse(await ask(ALL_APPS, ""));
  expect(Object.keys(page).toSorted()).toEqual(
    [
      "app_revenue app_total_ltv app_total_revenue country_impression country_revenue format_revenue",
      "latest_revenue ltv revenue_summary stat_summary stat_table",
    ].flatMap((names) => names.split(" ")),
  );
  const changing = ["clicks", "ctr", "ecpm", "fillrate", "impressions", "requests", "revenue"];
  const figures = [...changing, ...changing.map((name) => `last_${name}`), "uniques", "sessions"];
  expect(Object.keys(page.stat_summary)).toEqual(expect.arrayContaining(figures));

  const parts = await ask<PublisherParts>(
    ALL_APPS,
    "func=totals&func=top_apps&func=top_formats&func=top_countries_impressions&func=top_countries_revenue&func=ltv&func=stats",
  );
  expect(page.stat_summary).toEqual(parts.totals);
  expect(page.app_revenue).toEqual(parts.top_apps);
  expect(page.format_revenue).toEqual(parts.top_formats);
  expect(page.country_impression).toEqual(parts.top_countries_impressions);
  expect(page.country_revenue).toEqual(parts.top_countries_revenue);
  expect(page.stat_table).toEqual(parts.stats);
  expect(page.app_total_revenue).toBe(parts.totals.revenue);
  expect(page.app_total_ltv).toBe(parts.ltv.total);
  for (const row of page.app_revenue) expect(Object.keys(row)).toEqual(expect.arrayContaining(["name", "revenue"]));
  for (const row of page.format_revenue)
    expect(Object.keys(row)).toEqual(expect.arrayContaining(["format", "revenue"]));
});

test.each([["all apps"], ["one app"]])("the graph of %s has the requested metrics and no others", async (of) => {
  const address = of === "all apps" ? ALL_APPS : appStats;
  const metricsOf = async (query: string) => {
    const { graph_data } = await ask<Pick<AppParts, "graph_data">>(address, `func=graph_data&order_type=asc${query}`);
    return Object.keys(graph_data.series).toSorted();
  };
  expect(await metricsOf("&metrics=revenue&metrics=last_revenue")).toEqual(["last_revenue", "revenue"]);
  expect(await metricsOf("&metrics=impressions")).toEqual(["impressions"]);
  const refused = await context.request.get(`${address}?${PAST}&func=graph_data&metrics=luck`, { headers: OWN_PAGE });
  expect(refused.status()).toBe(400);
});

test.each([["all apps"], ["one app"]])("the top countries of %s are the first five of the table", async (of) => {
  const address = of === "all apps" ? ALL_APPS : appStats;
  for (const figure of ["impressions", "revenue"] as const) {
    const { stats } = await ask<Pick<AppParts, "stats">>(
      address,
      `func=stats&view=country&order=${figure}&order_type=desc`,
    );
    expect(stats.stats.length).toBeGreaterThan(MOST_COUNTRIES);
    const top = (await ask<AppParts>(address, `func=top_countries_${figure}`))[`top_countries_${figure}`];
    expect(top.map(({ value }) => value)).toEqual(stats.stats.slice(0, MOST_COUNTRIES).map((row) => row[figure]));
  }
});
