import type { AppMetrics, AppRow, Role } from "@millrace/contract";
import { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within, act } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { parseSearch } from "../../../shared/filters/address.ts";
import { SESSION_KEY } from "../../../shared/session.ts";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { NOT_COMPARED, NO_TOTALS, SOME_APP, somePager } from "../../../testing/some-apps.ts";
import { AppsPage, prefetch } from "./apps-page.tsx";

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
  ...SOME_APP,
  ...METRICS,
  ...NOT_COMPARED,
  last_revenue: 600_000_000,
};

/** Answers the list with the requested page; tests may change `apps` and `fail`. */
function serve(state: { apps: AppRow[]; pages: number; fail?: string }) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const url = new URL(address, "http://here.test");
    if (url.pathname !== "/apps.json") return Response.json({ error: "not here" }, { status: 404 });
    asked.push(url.searchParams);
    if (state.fail !== undefined) return Response.json({ error: state.fail }, { status: 400 });
    const pager = somePager({ current_page: Number(url.searchParams.get("p")) + 1, last_page: state.pages });
    const totals = { ...NO_TOTALS, ...METRICS, revenue: 1_000_000 };
    return Response.json({ apps: state.apps, pager, totals, compared_until: null });
  });
  return asked;
}

const open = (address = "/apps?ds=2026-11-01&de=2026-11-02") => renderPage(AppsPage, "/apps", address);

test("the page shows the prefetched list", async () => {
  serve({ apps: [APP], pages: 1 });
  const address = "ds=2026-11-01&de=2026-11-02&search=tide&order=revenue";
  const ahead = new QueryClient();
  prefetch(ahead, { params: {}, search: parseSearch(address) });
  const { queryClient } = await open(`/apps?${address}`);
  await screen.findByRole("link", { name: /Tide Puzzle/ });
  const [asked] = ahead.getQueryCache().getAll();
  expect(queryClient.getQueryCache().get(asked?.queryHash ?? "")).toBeTruthy();
});

test("an app is listed with its figures and links to its statistics for the same days", async () => {
  serve({ apps: [APP], pages: 1 });
  await open();
  // The accessible name starts with the visible text (WCAG 2.5.3).
  const link = await screen.findByRole<HTMLAnchorElement>("link", {
    name: "Tide Puzzle Android · com.example.tide: statistics",
  });
  expect(link.getAttribute("href")).toBe(`/apps/${APP.uuid}/performance?ds=2026-11-01&de=2026-11-02`);
  const row = link.closest("tr")?.querySelectorAll("td") ?? [];
  expect([...row].map((cell) => cell.textContent)).toEqual([
    "$682.10",
    "+13.7% against Oct 30th – Oct 31st, 2026",
    "$6.31",
    "104.6K",
    "118.2K",
    "–",
    "21.4K",
    "39.0K",
    "$0.0459",
  ]);
  expect(screen.getByRole("rowheader", { name: "Total" }).closest("tr")?.textContent).toContain("$1.00");
});

test("the next page is requested and written to the address", async () => {
  const asked = serve({ apps: [APP], pages: 4 });
  const { router } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  await waitFor(() => expect(router.state.location.searchStr).toContain("p=1"));
  await waitFor(() => expect(asked.at(-1)?.get("p")).toBe("1"));
});

test("a search starts at the first page", async () => {
  const asked = serve({ apps: [APP], pages: 4 });
  const { router } = await open("/apps?ds=2026-11-01&de=2026-11-02&p=3");
  await screen.findByRole("link", { name: /Tide Puzzle/ });
  await userEvent.type(screen.getByRole("searchbox", { name: "Search app" }), "tide{Enter}");
  await waitFor(() => expect(router.state.location.searchStr).toContain("search=tide"));
  expect(router.state.location.searchStr).not.toContain("p=3");
  await waitFor(() => expect(asked.at(-1)?.get("search")).toBe("tide"));
});

test("filters in the address are sent as repeated keys", async () => {
  const asked = serve({ apps: [APP], pages: 1 });
  await open("/apps?ds=2026-11-01&de=2026-11-02&format=banner&format=video&country=DE");
  await screen.findByRole("link", { name: /Tide Puzzle/ });
  expect(asked[0]?.getAll("format")).toEqual(["banner", "video"]);
  expect(asked[0]?.getAll("country")).toEqual(["DE"]);
});

test("an app without a bundle ID is listed with its platform alone", async () => {
  serve({ apps: [{ ...APP, platform: "roku", bundle_id: "" }], pages: 1 });
  await open();
  expect(await screen.findByRole("link", { name: /^Tide Puzzle Roku\s*: statistics$/ })).toBeTruthy();
});

test("an account without apps is led to its first one, by users who may add apps", async () => {
  serve({ apps: [], pages: 1 });
  const { queryClient } = await open();
  expect(await screen.findByText(/^This account has no apps yet\./)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add the first app" })).toBeNull();
  act(() => void queryClient.setQueryData(SESSION_KEY, someSession()));
  await userEvent.click(await screen.findByRole("button", { name: "Add the first app" }));
  expect(await screen.findAllByRole("dialog")).toHaveLength(1);
});

test("an empty list says what was searched, and does not speak of a search where there was none", async () => {
  serve({ apps: [], pages: 1 });
  const { unmount } = await open("/apps?app_id=7");
  expect(await screen.findByText("The chosen apps are not in this account.")).toBeTruthy();
  unmount();
  await open("/apps?search=zz");
  expect(await screen.findByText("No apps found")).toBeTruthy();
  expect(screen.getByText("No app of this account has “zz” in its name or bundle ID.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Show all apps" })).toBeTruthy();
});

test("a list that fails to load can be retried", async () => {
  const state: Parameters<typeof serve>[0] = { apps: [APP], pages: 1, fail: "The store is away" };
  serve(state);
  await open();
  const again = await screen.findByRole("button", { name: "Try again?" });
  delete state.fail;
  await userEvent.click(again);
  expect(await screen.findByRole("link", { name: /Tide Puzzle/ })).toBeTruthy();
});

async function openAs(role: Role, apps: AppRow[] = [APP]) {
  serve({ apps, pages: 1 });
  const opened = await open();
  opened.queryClient.setQueryData(SESSION_KEY, someSession({ role }));
  await screen.findAllByRole("link", { name: /: statistics/ });
  return opened;
}
const platformed = (platform: AppRow["platform"], id: number): AppRow => ({
  ...APP,
  platform,
  name: platform,
  app_id: id,
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
});

test("tools links to an app's settings; keys is shown only for platforms with keys", async () => {
  const platforms = ["android", "ios", "amazon", "androidtv", "tvos", "firetv", "tizentv", "roku", "others"] as const;
  await openAs("owner", platforms.map(platformed));
  await waitFor(() => expect(screen.getAllByRole("link", { name: /^tools of/ }).length).toBe(9));
  expect(screen.getByRole("link", { name: /^tools of roku/ }).getAttribute("href")).toBe(
    "/apps/00000000-0000-4000-8000-000000000007/settings",
  );
  const keyed = screen
    .getAllByRole("link", { name: /^keys of/ })
    .map((link) => link.textContent.slice(8).split(",")[0]);
  expect(keyed).toEqual(["androidtv", "tvos", "firetv", "tizentv", "roku", "others"]);
});

test.each([
  ["SDEV", ["tools"]],
  ["GST", []],
] as const)("%s sees only the actions of the role", async (role, links) => {
  await openAs(role, [platformed("roku", 1)]);
  await waitFor(() =>
    expect(screen.queryAllByRole("button", { name: "Add New App" }).length).toBe(role === "SDEV" ? 1 : 0),
  );
  expect(
    screen.queryAllByRole("link", { name: / of roku, Roku$/ }).map((link) => link.textContent.split(" ")[0]),
  ).toEqual([...links]);
  expect(screen.queryByRole("button", { name: /delete/ })).toBeNull();
});

test("below its total, the list says what deleted apps earned, to those who may open the figures of all apps", async () => {
  answerCalls({
    "GET /apps.json": () => ({
      apps: [APP],
      pager: somePager(),
      totals: { ...NO_TOTALS, ...METRICS },
      deleted_revenue: 1_000_500_000,
      compared_until: null,
    }),
  });
  const { queryClient } = await open();
  await screen.findByRole("table");
  expect(screen.queryByText(/Deleted apps earned/)).toBeNull();
  act(() => void queryClient.setQueryData(SESSION_KEY, someSession()));
  const note = await screen.findByText(/Deleted apps earned/);
  expect(note.textContent).toBe("Deleted apps earned another $1,000.50 in this period. Performance counts them too.");
  expect(within(note).getByRole("link", { name: "Performance" }).getAttribute("href")).toBe(
    "/apps/performance?ds=2026-11-01&de=2026-11-02",
  );
});

test("an app is deleted after a confirmation, which shows a failure; afterwards the list is reloaded", async () => {
  let fails = true;
  let apps = [APP];
  const sent = answerCalls({
    "GET /apps.json": () => ({ apps, pager: somePager(), totals: { ...NO_TOTALS, ...METRICS }, compared_until: null }),
    [`GET /apps/${APP.uuid}/delete_app`]: () => {
      if (fails) return refused(503, "Later, please");
      apps = [];
      return { redirect_to: "/apps" };
    },
  });
  const { queryClient } = await open();
  queryClient.setQueryData(SESSION_KEY, someSession());
  await userEvent.click(await screen.findByRole("button", { name: /^delete Tide Puzzle/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Tide Puzzle?" }));
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeTruthy();
  // An app of the same name may exist on another platform.
  expect(dialog.getByText(/^The app \(Android · com\.example\.tide\) stops showing ads/)).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Delete app" }));
  expect(await dialog.findByRole("alert")).toBeTruthy();
  expect(sent(`GET /apps/${APP.uuid}/delete_app`).length).toBe(1);
  fails = false;
  await userEvent.click(dialog.getByRole("button", { name: "Delete app" }));
  expect(await screen.findByText("No apps found")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});
