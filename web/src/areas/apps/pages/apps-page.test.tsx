import type { AppMetrics, AppRow, Pager } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { AppsPage } from "./apps-page.tsx";

afterEach(() => vi.unstubAllGlobals());

const METRICS: AppMetrics = {
  uniques: 21_449,
  sessions: 39_000,
  requests: 118_200,
  impressions: 104_600,
  clicks: 12,
  fillrate: null,
  ctr: null,
  ecpm: 6_310_000,
  revenue: 682_104_000,
  ltv: 45_900,
  use_rate: null,
  current_session: null,
};
const APP: AppRow = {
  ...METRICS,
  app_id: 1,
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Tide Puzzle",
  logo_url: null,
  url: null,
  bundle_id: "com.example.tide",
  platform: "android",
  in_dev: 0,
  sdk_status: "on",
  sdk_status_class: "success",
  sdk_info: { version: "1.0.0", changelog_url: null, update_url: null },
};

/** Answers the list with the page that was asked for; `apps` and `fail` can be changed while the test runs. */
function serve(state: { apps: AppRow[]; pages: number; fail?: string }) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const url = new URL(address, "http://here.test");
    if (url.pathname !== "/apps.json") return Response.json({ error: "not here" }, { status: 404 });
    asked.push(url.searchParams);
    if (state.fail !== undefined) return Response.json({ error: state.fail }, { status: 400 });
    const pager: Pager = {
      current_page: Number(url.searchParams.get("p")) + 1,
      entries_per_page: 50,
      first_page: 1,
      last_page: state.pages,
    };
    return Response.json({ apps: state.apps, pager, totals: { ...METRICS, revenue: 1_000_000 } });
  });
  return asked;
}

const open = (address = "/apps?ds=2026-11-01&de=2026-11-02") => renderPage(AppsPage, "/apps", address);

test("an app stands with its figures and leads to its statistics of the same days", async () => {
  serve({ apps: [APP], pages: 1 });
  await open();
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Tide Puzzle, Android: statistics" });
  expect(link.getAttribute("href")).toBe(`/apps/${APP.uuid}/performance?ds=2026-11-01&de=2026-11-02`);
  const row = link.closest("tr")?.querySelectorAll("td") ?? [];
  expect([...row].map((cell) => cell.textContent)).toEqual([
    "21.4K",
    "39.0K",
    "118.2K",
    "104.6K",
    "–",
    "$6.31",
    "$682.10",
    "$0.0459",
  ]);
  expect(screen.getByRole("rowheader", { name: "Total" }).closest("tr")?.textContent).toContain("$1.00");
});

test("the next page is asked for and written into the address", async () => {
  const asked = serve({ apps: [APP], pages: 4 });
  const { router } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("p=1"));
  await waitFor(() => expect(asked.at(-1)?.get("p")).toBe("1"));
});

test("a search begins at the first page", async () => {
  const asked = serve({ apps: [APP], pages: 4 });
  const { router } = await open("/apps?ds=2026-11-01&de=2026-11-02&p=3");
  await screen.findByRole("link", { name: /Tide Puzzle/ });
  await userEvent.type(screen.getByRole("searchbox", { name: "Search app" }), "tide{Enter}");
  await waitFor(() => expect(router.state.location.searchStr).toContain("search=tide"));
  expect(router.state.location.searchStr).not.toContain("p=3");
  await waitFor(() => expect(asked.at(-1)?.get("search")).toBe("tide"));
});

test("filters of the address are sent as repeated keys", async () => {
  const asked = serve({ apps: [APP], pages: 1 });
  await open("/apps?ds=2026-11-01&de=2026-11-02&format=banner&format=video&country=DE");
  await screen.findByRole("link", { name: /Tide Puzzle/ });
  expect(asked[0]?.getAll("format")).toEqual(["banner", "video"]);
  expect(asked[0]?.getAll("country")).toEqual(["DE"]);
});

test("no app says so", async () => {
  serve({ apps: [], pages: 1 });
  await open("/apps?search=zz");
  expect(await screen.findByText("No apps found")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Show all apps" })).toBeTruthy();
});

test("a list that fails can be tried again", async () => {
  const state: Parameters<typeof serve>[0] = { apps: [APP], pages: 1, fail: "The store is away" };
  serve(state);
  await open();
  const again = await screen.findByRole("button", { name: "Try again?" });
  delete state.fail;
  await userEvent.click(again);
  expect(await screen.findByRole("link", { name: /Tide Puzzle/ })).toBeTruthy();
});
