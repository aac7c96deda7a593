import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { SESSION_KEY } from "../../../shared/session.ts";
import { someSession } from "../../../testing/some-session.ts";
import { refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { APP_PARTS, BY_COUNTRY, TOTALS } from "../testing/sample-parts.ts";
import { APP_ADDRESS, serveStatistics } from "../testing/serve-statistics.tsx";
import { AppPerformancePage } from "./app-performance-page.tsx";

const DAYS = "ds=2026-11-18&de=2026-11-19";
const AGAINST = " against Nov 16th – Nov 17th, 2026";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() => Promise.all([import("../parts/stat-table.tsx"), import("../parts/what-changed.tsx")]));
beforeEach(() => localStorage.clear());

const open = (query = DAYS) => renderPage(AppPerformancePage, "/apps/$uuid/performance", `${APP_ADDRESS}?${query}`);
const showSdk = async () => userEvent.click(within(await block("Formats")).getByRole("button", { name: "SDK" }));
const block = (name: string) => screen.findByRole("region", { name });

test("session time is shown in minutes and seconds, and compared with the previous period like the rates", async () => {
  serveStatistics();
  await open();
  const figures = await screen.findByRole("group", { name: "Key figures" });
  await waitFor(() => expect(figures.textContent).toContain(`Session time5m 53s+17.7%${AGAINST}`));
  expect(figures.textContent).toContain(`Fill rate88.03%+7.4 pt${AGAINST}`);
  expect(figures.textContent).toContain(`Use rate37.80%−2.2 pt${AGAINST}`);
});

test("a figure that a filter leaves without a value shows no change", async () => {
  serveStatistics({ app: { totals: { ...TOTALS, sessions: null, last_sessions: null, ecpm: null } } });
  await open(`${DAYS}&provider=lab-tardy`);
  const figures = await screen.findByRole("group", { name: "Key figures" });
  await waitFor(() => expect(figures.textContent).toContain(AGAINST));
  expect(figures.textContent).not.toContain("no earlier data");
});

test("reasons for no ad are said to be of any provider, when one is chosen", async () => {
  serveStatistics();
  await open(`${DAYS}&provider=lab-tardy`);
  const reasons = await block("Why no ad?");
  await waitFor(() => expect(reasons.textContent).toContain("without an ad of any provider"));
});

test("fill rate and use rate are half gauges in steps of 3", async () => {
  serveStatistics();
  await open();
  const fillRate = await screen.findByRole("img", { name: "Fill rate: 88.03%" });
  expect(fillRate.querySelectorAll("path").length).toBe(33);
  expect(fillRate.querySelectorAll("path[data-lit]").length).toBe(29);
  expect(screen.getByRole("img", { name: "Use rate: 37.80%" }).querySelectorAll("path[data-lit]").length).toBe(13);
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
    "Use rate",
    "Uniques",
    "Sessions",
    "Session time",
    "LTV",
  ]);
  expect(figures.textContent).toContain("LTV$0.0459all time");
});

test("a reason for no ad leads to its requests", async () => {
  serveStatistics();
  const { router } = await open();
  const requests = APP_ADDRESS.replace("/performance", "/requests");
  const reasons = within(await block("Why no ad?"));
  const link = await reasons.findByRole("link", { name: "Partners had no demand" });
  await waitFor(() => expect(reasons.getByRole("list").textContent).toContain(`100.0%+5.0 pt${AGAINST}`));
  expect(link.getAttribute("href")).toBe(`${requests}?${DAYS}&outcome=no_ad&reason=no_demand`);
  await userEvent.click(reasons.getByRole("link", { name: "See them" }));
  await waitFor(() => expect(router.state.location.href).toBe(`${requests}?${DAYS}&outcome=no_ad`));
});

test("without any request, no reason claims that every request got an ad", async () => {
  serveStatistics({ app: { why_no_ad: [], totals: { ...TOTALS, requests: 0 } } });
  await open();
  expect(await within(await block("Why no ad?")).findByText("No requests found")).toBeTruthy();
  expect(screen.queryByText(/Every request/)).toBeNull();
});

test("the table by provider explains that its rows count requests sent", async () => {
  const stats = { ...APP_PARTS.stats, view: "provider", requests_sent: 9900 };
  serveStatistics({ app: { stats } });
  await open(`${DAYS}&view=provider`);
  expect(
    await screen.findByText(/rows count 9\.9K requests sent, and the total counts each of the 1\.7K once/),
  ).toBeTruthy();
});

test("without versions the block says that there are none", async () => {
  serveStatistics();
  await open();
  await showSdk();
  expect(await within(await block("SDK versions")).findByText("No SDK versions found")).toBeTruthy();
});

test("the shares of versions are shown with their sessions", async () => {
  serveStatistics({
    app: {
      sdk_versions: [
        { version: "1.0.0", sessions: 872, share: 80, last_sessions: 500, last_share: 50 },
        { version: "0.9.0", sessions: 218, share: 20, last_sessions: 500, last_share: 50 },
      ],
    },
  });
  const { queryClient } = await open();
  await showSdk();
  const versions = await screen.findByRole("list", { name: "Sessions by SDK version" });
  expect(versions.textContent).toBe(`1.0.080.0%+30.0 pt${AGAINST}0.9.020.0%−30.0 pt${AGAINST}`);
  expect(within(versions).queryByRole("link")).toBeNull();
  queryClient.setQueryData(SESSION_KEY, someSession());
  const link = await within(versions).findByRole("link", { name: "1.0.0" });
  expect(link.getAttribute("href")).toBe(APP_ADDRESS.replace("/performance", "/settings"));
  expect(versions.querySelector("li")?.title).toBe("1.0.0: 872 sessions");
});

test("earnings and impressions are ranked by provider and format, and each name is a filter", async () => {
  serveStatistics();
  const { router } = await open();
  const providers = await screen.findByRole("list", { name: "Earnings by providers" });
  expect(providers.textContent).toContain("LoopMe$18.94");
  const formats = await screen.findByRole("list", { name: "Earnings by formats" });
  expect(formats.textContent).toContain("Video$18.94");
  await userEvent.click(within(await block("Formats")).getByRole("button", { name: "Impressions" }));
  const impressions = await screen.findByRole("list", { name: "Impressions by formats" });
  expect(impressions.textContent).toContain("Video3.0K");
  await userEvent.click(within(impressions).getByRole("link", { name: "Video" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("format=video"));
});

test("a long list of providers ends with the sum of the others, which opens", async () => {
  const earnings = Array.from({ length: 9 }, (_, index) => ({
    provider: `p${index}`,
    name: `Partner ${index}`,
    revenue: 1_000_000 * (9 - index),
    last_revenue: 1_000_000 * (9 - index) + (index === 8 ? 1_000_000 : 0),
  }));
  serveStatistics({ app: { earnings_by_providers: earnings } });
  await open();
  const providers = await screen.findByRole("list", { name: "Earnings by providers" });
  expect(providers.lastElementChild?.textContent).toMatch(/^5 others\$15\.00−6\.3% against/);
  await userEvent.click(within(providers).getByRole("button", { name: "5 others" }));
  expect(within(providers).getAllByRole("link")).toHaveLength(9);
  // The button is gone: the one that closes the list has the focus, and gives it back.
  expect(document.activeElement?.textContent).toBe("Show fewer");
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement?.textContent).toBe("5 others");
});

test("the top countries are listed by four figures, and an unknown country is named", async () => {
  serveStatistics();
  await open();
  const countries = await block("Countries");
  for (const figure of ["Revenue", "Impressions", "Sessions", "Uniques"]) {
    await userEvent.click(await within(countries).findByRole("button", { name: figure }));
    const list = await within(countries).findByRole("table", { name: `Top 5 countries by ${figure.toLowerCase()}` });
    expect(list.textContent).toContain("United States");
    expect(list.textContent).toContain("Unknown country");
  }
});

test("countries without sessions are said to be found under filters only if there are any", async () => {
  serveStatistics({ app: { stats: (query: URLSearchParams) => withoutSessions(query.get("view")) } });
  const sessionsUnder = async (query: string) => {
    const page = await open(query);
    const countries = within(await block("Countries"));
    await userEvent.click(await countries.findByRole("button", { name: "Sessions" }));
    const text = (await countries.findByText(/^No sessions/)).textContent;
    page.unmount();
    return text;
  };
  expect(await sessionsUnder(DAYS)).toBe("No sessions found");
  expect(await sessionsUnder(`${DAYS}&format=banner`)).toBe("No sessions with these filters found");
});

const withoutSessions = (view: string | null) =>
  view === "country"
    ? { ...BY_COUNTRY, stats: BY_COUNTRY.stats.map((row) => ({ ...row, sessions: null })) }
    : APP_PARTS.stats;

test("one session, one request and one other country are told in the singular", async () => {
  const [row] = BY_COUNTRY.stats;
  const six = ["US", "DE", "FR", "GB", "IT", "ES"].map((id) => ({ ...row, id, name: id }));
  const stats = (query: URLSearchParams) =>
    query.get("view") === "country" ? { ...BY_COUNTRY, stats: six } : APP_PARTS.stats;
  const version = { version: "1.0.0", sessions: 1, share: 100, last_sessions: null, last_share: null };
  const reason = { ...APP_PARTS.why_no_ad[0], requests: 1 };
  serveStatistics({ app: { stats, sdk_versions: [version], why_no_ad: [reason] } });
  await open();
  const titles = async (name: string) =>
    (await screen.findByRole("list", { name })).querySelector("li")?.getAttribute("title");
  await showSdk();
  expect(await titles("Sessions by SDK version")).toBe("1.0.0: 1 session");
  expect(await titles("Reasons")).toBe("Partners had no demand: 1 request");
  expect(screen.getByTitle("1 request without an ad")).toBeTruthy();
  const countries = await screen.findByRole("table", { name: "Top 5 countries by revenue" });
  expect(within(countries).getByRole("rowheader", { name: "1 other" })).toBeTruthy();
});

test("the devices of a country are compared with those of the compared period", async () => {
  serveStatistics();
  await open();
  const countries = within(await block("Countries"));
  await userEvent.click(await countries.findByRole("button", { name: "Uniques" }));
  const first = () => countries.getAllByRole("row").at(1)?.textContent;
  // 200 devices in the table's row, 400 then.
  await waitFor(() => expect(first()).toContain(`200−50.0%${AGAINST}`));
});

test("a zone of the table leads to its requests", async () => {
  const stats = {
    ...APP_PARTS.stats,
    view: "zone",
    stats: [{ ...APP_PARTS.stats.stats[0], id: "end", name: "Level end" }],
  };
  serveStatistics({ app: { stats } });
  await open(`${DAYS}&view=zone&country=US`);
  const link = await within(await block("Statistics")).findByRole("link", { name: "Level end" });
  expect(link.getAttribute("href")).toBe(
    `${APP_ADDRESS.replace("/performance", "/requests")}?${DAYS}&country=US&zone=end`,
  );
});

test("a country of the list is a filter", async () => {
  serveStatistics();
  const { router } = await open();
  await userEvent.click(await within(await block("Countries")).findByRole("link", { name: "United States" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("country=US"));
});

test("the trends are six metrics, each on its own scale, and a name shows its metric in the chart", async () => {
  const series = { requests: [10, 20], impressions: [9, 18], ecpm: [1_000_000, 2_000_000] };
  serveStatistics({ app: { graph_data: { ...APP_PARTS.graph_data, series } } });
  const { router } = await open();
  const trends = within(await block("Trends"));
  const charts = await trends.findAllByRole("figure");
  expect(charts.map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Requests",
    "Impressions",
    "Fill rate",
    "Clicks",
    "eCPM",
    "Revenue",
  ]);
  expect(charts[0]?.querySelector("path")).toBeTruthy();
  await userEvent.click(trends.getByRole("button", { name: "Show eCPM in the chart" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("metric=ecpm"));
});

test("arrow keys move along all trends at once", async () => {
  const series = { requests: [10, 20], impressions: [9, 18] };
  serveStatistics({ app: { graph_data: { ...APP_PARTS.graph_data, series } } });
  await open();
  const charts = await within(await block("Trends")).findByRole("application");
  charts.focus();
  await userEvent.keyboard("{Home}");
  expect(charts.textContent).toContain("Nov 18th, 2026, Requests 10, Impressions 9");
  await userEvent.keyboard("{ArrowRight}");
  expect(charts.textContent).toContain("Nov 19th, 2026, Requests 20, Impressions 18");
});

test("the table's files are those of the app", async () => {
  serveStatistics();
  await open(`${DAYS}&view=zone&app_id=7`);
  const at = APP_ADDRESS.replace("/performance", "");
  expect((await screen.findByRole("link", { name: "Download CSV" })).getAttribute("href")).toBe(
    `${at}/stats.csv?${DAYS}&view=zone&order=revenue&order_type=desc`,
  );
  expect(screen.getByRole("link", { name: "Download PDF" }).getAttribute("href")).toBe(
    `${at}/stats.pdf?${DAYS}&view=zone&order=revenue&order_type=desc`,
  );
});

test("a missing app links back to the user's own apps", async () => {
  serveStatistics({ app: { app: refused(404, "There is nothing at this address") } });
  await open();
  expect(await screen.findByText("No app found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show my apps" }).getAttribute("href")).toBe("/apps");
});
