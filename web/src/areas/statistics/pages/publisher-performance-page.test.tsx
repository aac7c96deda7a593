import { TEXTS } from "@millrace/contract";
import { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { parseSearch } from "../../../shared/filters/address.ts";
import { refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { PUBLISHER_PARTS } from "../testing/sample-parts.ts";
import { serveStatistics } from "../testing/serve-statistics.tsx";
import { PublisherPerformancePage, prefetch } from "./publisher-performance-page.tsx";

const CALL = "GET /apps/performance/stats";
const DAYS = "ds=2026-11-18&de=2026-11-19";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() => Promise.all([import("../parts/stat-table.tsx"), import("../../../ui/fields/choice-list.tsx")]));
beforeEach(() => localStorage.clear());

const open = (query = DAYS) => renderPage(PublisherPerformancePage, "/apps/performance", `/apps/performance?${query}`);
const block = (name: string) => screen.findByRole("region", { name });

test("the totals show their change from the previous period", async () => {
  serveStatistics();
  await open();
  const figures = await screen.findByRole("group", { name: "Key figures" });
  expect([...figures.children].map((tile) => tile.textContent)).toEqual([
    "Revenue$18.94+26.3% against Nov 16th – Nov 17th, 2026",
    "eCPM$6.31+5.2% against Nov 16th – Nov 17th, 2026",
    "Impressions3.0K+20.0% against Nov 16th – Nov 17th, 2026",
    "Requests3.4K+10.0% against Nov 16th – Nov 17th, 2026",
    "Fill rate88.03%+7.4 pt against Nov 16th – Nov 17th, 2026",
    "Clicks30−25.0% against Nov 16th – Nov 17th, 2026",
    "CTR1.00%−0.6 pt against Nov 16th – Nov 17th, 2026",
    "Uniques412+3.0% against Nov 16th – Nov 17th, 2026",
    "Sessions1.1K+9.0% against Nov 16th – Nov 17th, 2026",
    "LTV$0.0459all time",
  ]);
});

test.each(["", "metric=ecpm&country=US&app_id=7"])("the page shows the prefetched data: %s", async (more) => {
  serveStatistics();
  const ahead = new QueryClient();
  prefetch(ahead, { params: {}, search: parseSearch(`${DAYS}&${more}`) });
  const { queryClient } = await open(`${DAYS}&${more}`);
  await screen.findByRole("group", { name: "Key figures" });
  const [asked, shown] = [ahead, queryClient].map((client) =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryHash }) => queryHash),
  );
  expect(asked).toHaveLength(2);
  expect(shown).toEqual(expect.arrayContaining(asked ?? []));
});

test("the totals say that sample apps are among them, and nothing where there are none", async () => {
  serveStatistics();
  const { unmount } = await open();
  await within(await block("Earnings by apps")).findAllByRole("link");
  expect(screen.queryByText(TEXTS.sampleFigures)).toBeNull();
  unmount();
  const [app] = PUBLISHER_PARTS.top_apps;
  serveStatistics({ publisher: { top_apps: [{ ...app, is_sample: 1 }] } });
  await open();
  expect((await screen.findByRole("note")).textContent).toBe(TEXTS.sampleFigures);
});

test("the revenue chart shows the previous period", async () => {
  serveStatistics();
  await open();
  const chart = await screen.findByRole("figure", { name: /^Revenue from Nov 18th/ });
  expect(chart.textContent).toContain("This period: 9000000 9944000");
  expect(chart.textContent).toContain("Previous: 7000000 8000000");
});

test("apps of the same name are distinguished, and link to their own statistics with the same days and filters", async () => {
  serveStatistics();
  await open(`${DAYS}&country=US`);
  const link = await within(await block("Earnings by apps")).findByRole("link", { name: "Tide Puzzle, iOS" });
  expect(link.getAttribute("href")).toBe(
    "/apps/00000000-0000-4000-8000-000000000002/performance?ds=2026-11-18&de=2026-11-19&country=US",
  );
});

test("a deleted app keeps its rows, is marked, and leads nowhere", async () => {
  const [app, other] = PUBLISHER_PARTS.top_apps;
  const { ltv, online_revenue: feed } = PUBLISHER_PARTS;
  const deleted = { name: "Gone", deleted: true } as const;
  serveStatistics({
    publisher: {
      top_apps: [{ ...app, ...deleted }, other],
      ltv: { ...ltv, by_app: ltv.by_app.map((row) => ({ ...row, ...deleted })) },
      online_revenue: feed.map((row) => ({ ...row, title: "Gone", deleted: true })),
    },
  });
  await open();
  const earnings = await block("Earnings by apps");
  expect(await within(earnings).findByText("Gone (deleted)")).toBeTruthy();
  expect(within(earnings).getAllByRole("link")).toHaveLength(1);
  const lifetime = await block("Lifetime value");
  expect(await within(lifetime).findByText("Gone, Android (deleted)")).toBeTruthy();
  expect(within(lifetime).getByText("Gone, iOS (deleted)")).toBeTruthy();
  expect(within(lifetime).queryByRole("link")).toBeNull();
  const online = await block("Online revenue");
  expect((await within(online).findByRole("listitem")).textContent).toContain("Gone (deleted)");
  expect(within(online).queryByRole("button")).toBeNull();
});

test("each earning names its app and provider, and opens its auction", async () => {
  serveStatistics();
  await open();
  const feed = await block("Online revenue");
  const row = await within(feed).findByRole("listitem");
  expect(row.textContent).toMatch(/^Tide PuzzleLoopMe · video\$0\.011200Unknown country · .*why\?$/);
  expect(row.querySelector("img")?.getAttribute("src")).toBe(PUBLISHER_PARTS.online_revenue[0]?.icon);
  expect(within(row).getByRole("button", { name: "Why LoopMe for $0.011200 in Tide Puzzle?" })).toBeTruthy();
});

test("the top countries are listed by impressions and by revenue, and an unknown country is named", async () => {
  serveStatistics();
  await open();
  const revenue = await screen.findByRole("table", { name: "Top 5 countries by revenue" });
  expect(revenue.textContent).toContain("United States$18.94");
  await userEvent.click(within(await block("Countries")).getByRole("button", { name: "Impressions" }));
  const impressions = await screen.findByRole("table", { name: "Top 5 countries by impressions" });
  expect(impressions.textContent).toContain("Unknown country1.0K");
});

test("lifetime value explains when there are no new devices", async () => {
  serveStatistics();
  await open();
  const ltv = await block("Lifetime value");
  expect(await within(ltv).findByText("$0.0459")).toBeTruthy();
  expect(within(ltv).getByText("No new devices found")).toBeTruthy();
  const byApp = within(ltv).getByRole("list", { name: "Lifetime value by app" });
  expect(byApp.textContent).toBe("Tide Puzzle, Android$0.0500Tide Puzzle, iOS$0.0342");
});

test("new devices are followed by their age", async () => {
  const curve = [
    { age: 0, value: 10_000 },
    { age: 1, value: 14_000 },
  ];
  serveStatistics({ publisher: { ltv: { ...PUBLISHER_PARTS.ltv, cohort_devices: 1200, curve } } });
  await open();
  const ltv = await block("Lifetime value");
  expect(
    await within(ltv).findByText(/^1\.2K new devices in this period.* day 1\. Choose an earlier period to see more\.$/),
  ).toBeTruthy();
  expect(within(ltv).getByRole("figure").textContent).toContain("This period: 10000 14000");
});

test("new devices of a single day are a sentence, not a curve of one point", async () => {
  const curve = [{ age: 0, value: 10_000 }];
  serveStatistics({ publisher: { ltv: { ...PUBLISHER_PARTS.ltv, cohort_devices: 1200, curve } } });
  await open();
  const ltv = await block("Lifetime value");
  expect(await within(ltv).findByText(/^1\.2K new devices in this period earned \$0\.0100 each on/)).toBeTruthy();
  expect(within(ltv).queryByRole("figure")).toBeNull();
});

test("the files have the shown days, filters, view, order and columns", async () => {
  localStorage.setItem("millrace-stat-columns", "revenue,requests,nonsense");
  serveStatistics();
  await open(`${DAYS}&app_id=7&view=country&order=revenue&order_type=desc`);
  const query =
    "?ds=2026-11-18&de=2026-11-19&app_id=7&view=country&order=revenue&order_type=desc&columns=requests&columns=revenue";
  const csv = await screen.findByRole("link", { name: "Download CSV" });
  expect(csv.getAttribute("href")).toBe(`/apps/performance/stats.csv${query}`);
  expect(screen.getByRole("link", { name: "Download PDF" }).getAttribute("href")).toBe(
    `/apps/performance/stats.pdf${query}`,
  );
});

test("the chosen columns stay in this browser", async () => {
  serveStatistics();
  const { unmount } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "All columns" }));
  await userEvent.click(await screen.findByRole("option", { name: "CTR" }));
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: /CTR/ })).toBeNull());
  expect(localStorage.getItem("millrace-stat-columns")).toBe(
    "uniques,sessions,requests,impressions,clicks,fillrate,ecpm,revenue",
  );
  unmount();
  await open();
  expect(await screen.findByRole("button", { name: "8 of 9 columns" })).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: /CTR/ })).toBeNull();
  expect(await within(await block("Overall statistics")).findByRole("columnheader", { name: /eCPM/ })).toBeTruthy();
});

test("the total of the table equals the summary and shows its change", async () => {
  serveStatistics();
  await open();
  const total = (await screen.findByRole("rowheader", { name: /^Total/ })).closest("tr");
  await waitFor(() =>
    expect(`${total?.children[1]?.textContent}${total?.children[2]?.textContent}`).toBe(
      "$18.94+26.3% against Nov 16th – Nov 17th, 2026",
    ),
  );
});

test("a failed block is retried on its own", async () => {
  const served = { publisher: { top_formats: refused(503, "Statistics are resting") } as Record<string, unknown> };
  const sent = serveStatistics(served);
  await open();
  const formats = await block("Earnings by formats");
  const again = await within(formats).findByRole("button", { name: /Try again/ });
  await screen.findByRole("rowheader", { name: /^Total/ });
  const asked = sent(CALL).length;
  delete served.publisher["top_formats"];
  await userEvent.click(again);
  expect(await within(formats).findByRole("link", { name: "Video" })).toBeTruthy();
  expect(
    sent(CALL)
      .slice(asked)
      .map(({ query }) => query.get("func")),
  ).toEqual(["top_formats"]);
});

test("if nothing matches the filters, the next step is to clear them", async () => {
  serveStatistics({ publisher: { top_formats: [] } });
  const { router } = await open(`${DAYS}&format=audio&app_id=7`);
  const formats = await block("Earnings by formats");
  expect(await within(formats).findByText("No earnings found")).toBeTruthy();
  await userEvent.click(within(formats).getByRole("button", { name: "Clear the filters" }));
  await waitFor(() => expect(router.state.location.searchStr).not.toMatch(/format|app_id/));
  expect(router.state.location.searchStr).toContain(DAYS);
});

test("an account without apps is told how to start", async () => {
  serveStatistics({ apps: {}, firstDay: null });
  await open();
  expect(await screen.findByText("No apps found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to apps" }).getAttribute("href")).toBe("/apps");
});

test("an account of deleted apps alone sees their figures", async () => {
  serveStatistics({ apps: {}, firstDay: "2026-11-01" });
  await open();
  expect(await screen.findByRole("group", { name: "Key figures" })).toBeTruthy();
  expect(screen.queryByText("No apps found")).toBeNull();
});

test("every part requests the chosen apps", async () => {
  const sent = serveStatistics();
  await open(`${DAYS}&app_id=7&app_id=8&app_id=x`);
  await screen.findByRole("rowheader", { name: /^Total/ });
  expect(new Set(sent(CALL).map(({ query }) => query.getAll("app_id").join(" ")))).toEqual(new Set(["7 8"]));
});
