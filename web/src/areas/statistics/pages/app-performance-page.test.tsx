import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { APP_PARTS } from "../testing/sample-parts.ts";
import { APP_ADDRESS, serveStatistics } from "../testing/serve-statistics.tsx";
import { AppPerformancePage } from "./app-performance-page.tsx";

const DAYS = "ds=2026-11-18&de=2026-11-19";
const AGAINST = " against Nov 16 – Nov 17, 2026";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() => import("../parts/stat-table.tsx"));
beforeEach(() => localStorage.clear());

const open = (query = DAYS) => renderPage(AppPerformancePage, "/apps/$uuid/performance", `${APP_ADDRESS}?${query}`);
const block = (name: string) => screen.findByRole("region", { name });

test("session time is shown in minutes and seconds, and compared with the previous period like the rates", async () => {
  serveStatistics();
  await open();
  const figures = await screen.findByRole("group", { name: "Key figures" });
  await waitFor(() => expect(figures.textContent).toContain(`Session time5m 53s+17.7%${AGAINST}`));
  const rates = await block("Rates");
  await waitFor(() => expect(rates.textContent).toContain(`impressions / requests+7.4 pt${AGAINST}`));
  expect(rates.textContent).toContain(`uniques / sessions−2.2 pt${AGAINST}`);
});

test("fill rate and use rate are half gauges in steps of 3", async () => {
  serveStatistics();
  await open();
  const fillRate = await screen.findByRole("img", { name: "Fill rate: 88.03%" });
  expect(fillRate.querySelectorAll("path").length).toBe(33);
  expect(fillRate.querySelectorAll("path[data-lit]").length).toBe(29);
  expect(screen.getByRole("img", { name: "Use rate: 37.8%" }).querySelectorAll("path[data-lit]").length).toBe(13);
});

test("the totals of an app end with its lifetime value, which is independent of days", async () => {
  serveStatistics();
  await open();
  const figures = await screen.findByRole("group", { name: "Key figures" });
  expect([...figures.children].map((tile) => tile.querySelector("span")?.textContent)).toEqual([
    "Revenue",
    "eCPM",
    "Impressions",
    "Requests",
    "Fill rate",
    "Uniques",
    "Sessions",
    "Session time",
    "LTV",
  ]);
  expect(figures.textContent).toContain("LTV$0.0459per device, all time");
});

test("without versions the block says that there are none", async () => {
  serveStatistics();
  await open();
  expect(await within(await block("SDK versions")).findByText("No SDK versions found")).toBeTruthy();
});

test("the shares of versions are shown with their sessions", async () => {
  serveStatistics({
    app: {
      sdk_versions: [
        { version: "1.0.0", sessions: 872, share: 80 },
        { version: "0.9.0", sessions: 218, share: 20 },
      ],
    },
  });
  await open();
  const versions = await block("SDK versions");
  await waitFor(() => expect(versions.textContent).toContain("1.0.080%0.9.020%"));
  expect(versions.textContent).toContain("1.1K sessions +9.0%");
});

test("earnings and impressions are split by provider and format", async () => {
  serveStatistics();
  await open();
  for (const [name, text] of [
    ["Earnings by providers", "LoopMe$18.94100%"],
    ["Earnings by formats", "Video$18.94100%"],
    ["Impressions by formats", "Video3.0K100%"],
  ] as const) {
    const share = await block(name);
    await waitFor(() => expect(share.textContent).toContain(text));
  }
});

test("the top countries are listed by four figures, and an unknown country is named", async () => {
  serveStatistics();
  await open();
  for (const figure of ["impressions", "revenue", "sessions", "uniques"]) {
    const list = await screen.findByRole("region", { name: `Top 5 countries by ${figure}` });
    await waitFor(() => expect(list.textContent).toContain("United States"));
  }
  expect(screen.getByRole("region", { name: "Top 5 countries by impressions" }).textContent).toContain(
    "Unknown country1.0K",
  );
});

test("lines of the trends can be toggled, and one always stays", async () => {
  const series = { requests: [10, 20], impressions: [9, 18], ecpm: [1_000_000, 2_000_000] };
  serveStatistics({ app: { graph_data: { ...APP_PARTS.graph_data, series } } });
  await open();
  const trends = await block("Trends");
  expect((await within(trends).findByRole("figure")).getAttribute("aria-label")).toBe(
    "Requests, Impressions over time",
  );
  await userEvent.click(within(trends).getByRole("button", { name: "eCPM" }));
  await userEvent.click(within(trends).getByRole("button", { name: "Requests" }));
  await userEvent.click(within(trends).getByRole("button", { name: "Impressions" }));
  await userEvent.click(within(trends).getByRole("button", { name: "eCPM" }));
  expect(within(trends).getByRole("figure").getAttribute("aria-label")).toBe("eCPM over time");
  expect(within(trends).getByRole("figure").textContent).toBe("eCPM: 1000000 2000000");
});

test("the table's files are those of the app", async () => {
  serveStatistics();
  await open(`${DAYS}&view=zone&app_id=7`);
  const at = APP_ADDRESS.replace("/performance", "");
  expect((await screen.findByRole("link", { name: "Download CSV" })).getAttribute("href")).toBe(
    `${at}/stats.csv?${DAYS}&view=zone&order=name&order_type=asc`,
  );
  expect(screen.getByRole("link", { name: "Download PDF" }).getAttribute("href")).toBe(
    `${at}/stats.pdf?${DAYS}&view=zone&order=name&order_type=asc`,
  );
});

test("a previous period before the earliest date is not requested", async () => {
  const sent = serveStatistics();
  await open("ds=2015-03-30&de=2015-03-31");
  await screen.findByRole("rowheader", { name: "Total" });
  const days = sent(`GET ${APP_ADDRESS.replace("/performance", "/stats.json")}`).map(({ query }) => query.get("ds"));
  expect(new Set(days)).toEqual(new Set(["2015-03-30"]));
});

test("a missing app links back to the user's own apps", async () => {
  serveStatistics({ app: { app: refused(404, "There is nothing at this address") } });
  await open();
  expect(await screen.findByText("No app found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show my apps" }).getAttribute("href")).toBe("/apps");
});
