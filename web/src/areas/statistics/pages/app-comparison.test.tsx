import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { SESSION_KEY } from "../../../shared/session.ts";
import { someSession } from "../../../testing/some-session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { APP_PARTS, CHANGES, TOTALS } from "../testing/sample-parts.ts";
import { APP_ADDRESS, serveStatistics } from "../testing/serve-statistics.tsx";
import { AppPerformancePage } from "./app-performance-page.tsx";

const DAYS = "ds=2026-11-18&de=2026-11-19";
const AGAINST = " against Nov 16th – Nov 17th, 2026";

// Preloads lazy parts, so that no test waits for them.
beforeAll(() => Promise.all([import("../parts/stat-table.tsx"), import("../parts/what-changed.tsx")]));
beforeEach(() => localStorage.clear());

const open = (query = DAYS) => renderPage(AppPerformancePage, "/apps/$uuid/performance", `${APP_ADDRESS}?${query}`);
const block = (name: string) => screen.findByRole("region", { name });

test("what changed is told as steps and movers that both add up to the difference, and a mover is a filter", async () => {
  serveStatistics();
  const { router } = await open();
  // The panel that is shown while the block loads is another one.
  const steps = await screen.findByRole("list", { name: "Revenue, from before to now" });
  const panel = within(await block("What changed"));
  expect([...steps.children].map((step) => step.textContent)).toEqual([
    "$15.00Before",
    "+$1.60Requests",
    "+$1.54Fill",
    "+$0.80eCPM",
    "$18.94Now",
  ]);
  const movers = panel.getByRole("list", { name: "What moved most" });
  expect([...movers.children].map((mover) => mover.textContent)).toEqual([
    "Germany: 12.0% more requests+$5.00",
    "United States: fill rate 71.50%, was 80.65%−$1.00",
    "Everything else−$0.06",
  ]);
  expect(panel.getByText("+$3.94, +26.3%")).toBeTruthy();
  await userEvent.click(within(movers).getByRole("link", { name: "Germany" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("country=DE"));
});

test("the movers are of the chosen group", async () => {
  const sent = serveStatistics();
  await open();
  const panel = within(await block("What changed"));
  await userEvent.selectOptions(await panel.findByRole("combobox", { name: "Movers by" }), "format");
  const call = `GET ${APP_ADDRESS.replace("/performance", "/changes.json")}`;
  await waitFor(() => expect(sent(call).at(-1)?.query.get("by")).toBe("format"));
});

test("the comparison is chosen, kept in the address and asked for", async () => {
  const sent = serveStatistics();
  const { router } = await open();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Compare with" }), "weekdays");
  await waitFor(() => expect(router.state.location.searchStr).toContain("compare=weekdays"));
  const call = `GET ${APP_ADDRESS.replace("/performance", "/stats.json")}`;
  await waitFor(() => expect(sent(call).at(-1)?.query.get("compare")).toBe("weekdays"));
});

test("without a comparison nothing is compared, and the next step is to choose one", async () => {
  serveStatistics();
  const { router } = await open(`${DAYS}&compare=none`);
  const figures = await screen.findByRole("group", { name: "Key figures" });
  expect(figures.textContent).not.toContain("against");
  const panel = within(await block("What changed"));
  await userEvent.click(await panel.findByRole("button", { name: "Compare with the 2 days before" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("compare=previous"));
});

test("an unfinished period says until when it is compared", async () => {
  const compared_until = "2026-11-17T05:14:00.000Z";
  serveStatistics({ app: { totals: { ...TOTALS, compared_until } } });
  await open();
  expect(await screen.findByText("to 05:14 UTC")).toBeTruthy();
  const figures = screen.getByRole("group", { name: "Key figures" });
  expect(figures.textContent).toContain(`+26.3%${AGAINST} to 05:14 UTC`);
  expect(figures.textContent).not.toContain("so far");
});

test("a comparison with days before the first figures says since when there are any", async () => {
  serveStatistics({ app: { totals: TOTALS } });
  await open("ds=2026-10-03&de=2026-10-06");
  expect(await screen.findByText("figures begin Oct 1st, 2026")).toBeTruthy();
});

test("without earnings in either period there is no difference to break down", async () => {
  const nothing = { ...CHANGES.before, revenue: 0 };
  serveStatistics({ changes: { ...CHANGES, before: nothing, after: nothing, difference: 0, movers: [], rest: 0 } });
  await open("ds=2026-11-18&de=2026-11-19&compare=weekdays");
  const changed = within(await screen.findByRole("region", { name: "What changed" }));
  expect(
    await changed.findByText("Nothing was earned in this period, nor during the same weekdays before."),
  ).toBeTruthy();
  expect(changed.queryByText("$0.0000")).toBeNull();
  expect(changed.queryByRole("combobox")).toBeNull();
});

test("what was not counted stands below the figures, with its reasons", async () => {
  const not_counted = [
    { reason: "crawler", text: "It came from a crawler", impressions: 1200, clicks: 1 },
    { reason: "replayed", text: "The same event was sent again", impressions: 30, clicks: 0 },
  ];
  serveStatistics({ app: { not_counted } });
  await open();
  const told = await screen.findByText("1.2K impressions and 1 click");
  const reasons = told.closest("details");
  expect(reasons?.querySelector("ul")?.textContent).toBe(
    "It came from a crawler: 1,200 impressions and 1 clickThe same event was sent again: 30 impressions",
  );
  const links = [...(reasons?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));
  expect(links).toEqual([
    "/help/not-counted#crawler",
    "/help/not-counted#replayed",
    expect.stringMatching(/\/requests\?.*outcome=sold/),
  ]);
});

test("changes of settings stand at their days in the chart and lead to the settings", async () => {
  const app = { app_id: 7, uuid: APP_PARTS.app.uuid, name: "Tide Puzzle" };
  const annotations = [
    { at: "2026-11-18T00:00:00.000Z", kind: "sdk", text: "SDK 1.0.0", who: null, app },
    { at: "2026-11-19T14:05:00.000Z", kind: "floor", text: "Floor DE Banner $2.31", who: "Ada", app },
  ] as const;
  serveStatistics({ annotations });
  const { queryClient } = await open();
  queryClient.setQueryData(SESSION_KEY, someSession());
  const chart = await screen.findByRole("figure", { name: /^Revenue from/ });
  await waitFor(() => expect(chart.textContent).toContain("0 SDK 1.0.01 Floor DE Banner $2.31"));
  const link = await within(chart).findByRole("link", { name: "Floor DE Banner $2.31" });
  expect(link.getAttribute("href")).toBe(APP_ADDRESS.replace("/performance", "/mediation"));
  expect(link.title).toBe("Nov 19th, 2026, 14:05 UTC, by Ada");
});

test("a previous period before the earliest date is not requested", async () => {
  const sent = serveStatistics();
  await open("ds=2015-03-30&de=2015-03-31");
  await screen.findByRole("rowheader", { name: /^Total/ });
  const days = sent(`GET ${APP_ADDRESS.replace("/performance", "/stats.json")}`).map(({ query }) => query.get("ds"));
  expect(new Set(days)).toEqual(new Set(["2015-03-30"]));
});
