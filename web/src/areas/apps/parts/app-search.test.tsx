import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { AppSearch } from "./app-search.tsx";

const APP = {
  app_id: 7,
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
const PAGER = { current_page: 1, entries_per_page: 50, first_page: 1, last_page: 1 };
const METRICS = {
  uniques: 0,
  sessions: 0,
  requests: 0,
  impressions: 0,
  clicks: 0,
  fillrate: null,
  ctr: null,
  ecpm: null,
  revenue: 0,
  ltv: null,
  use_rate: null,
  current_session: null,
  last_sessions: null,
  last_requests: null,
  last_impressions: null,
  last_clicks: null,
  last_fillrate: null,
  last_ctr: null,
  last_ecpm: null,
  last_revenue: null,
};
const TOTALS = {
  ...METRICS,
  last_uniques: null,
  last_use_rate: null,
  last_current_session: null,
  compared_until: null,
};

const serve = () =>
  answerCalls({
    "GET /apps.json": () => ({ apps: [{ ...APP, ...METRICS }], pager: PAGER, totals: TOTALS, compared_until: null }),
  });

test("a user finds one of their own apps and opens it with Enter", async () => {
  serve();
  const { router } = await renderPage(() => <AppSearch />, "/apps/performance", "/apps/performance");
  await userEvent.type(screen.getByRole("combobox", { name: "Search app" }), "tide");
  await screen.findByRole("option", { name: /Tide Puzzle/ });
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/apps/${APP.uuid}/performance`));
});

test("Enter right after typing opens no result of the earlier text", async () => {
  serve();
  const { router } = await renderPage(() => <AppSearch />, "/apps/performance", "/apps/performance");
  const box = screen.getByRole("combobox", { name: "Search app" });
  await userEvent.type(box, "tide");
  await screen.findByRole("option", { name: /Tide Puzzle/ });
  await userEvent.type(box, " other{Enter}");
  expect(router.state.location.pathname).toBe("/apps/performance");
  // Once the results are for the current text, Enter opens the first.
  await waitFor(() => expect(screen.getByRole("listbox").getAttribute("aria-busy")).toBe("false"));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/apps/${APP.uuid}/performance`));
});
