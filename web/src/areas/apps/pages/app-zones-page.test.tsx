import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { NOT_COMPARED } from "../../../testing/some-apps.ts";
import { UUID, openPage, someSettings, withTitle } from "../testing/open-page.tsx";
import { AppZonesPage } from "./app-zones-page.tsx";

const PATH = "/apps/$uuid/zones";
const call = (method: string, rest: string) => `${method} /apps/${UUID}/${rest}`;

async function open(settings = someSettings(), more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [call("GET", "settings.json")]: () => settings, ...more });
  const opened = await openPage(withTitle(AppZonesPage), { path: PATH, at: `/apps/${UUID}/zones` });
  return { ...opened, sent };
}

test("a zone is renamed, and its refresh time is in whole seconds", async () => {
  const settings = someSettings();
  const [zone] = settings.zones;
  const { sent } = await open(settings, {
    [call("PUT", "zones/main_banner")]: ({ body }) => ({ ...settings, zones: [{ ...zone!, ...(body as object) }] }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit Main banner" }));
  const dialog = within(await screen.findByRole("dialog"));
  const seconds = dialog.getByLabelText("Refresh in seconds");
  await userEvent.clear(dialog.getByLabelText("Name"));
  await userEvent.clear(seconds);
  await userEvent.type(seconds, "2.5");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  expect(dialog.getByText("This field is required")).toBeTruthy();
  expect(dialog.getByText("Use whole seconds")).toBeTruthy();
  await userEvent.clear(seconds);
  await userEvent.type(seconds, "3");
  await userEvent.type(dialog.getByLabelText("Name"), "<b>Top</b>");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  expect(dialog.getByText("At least 10 seconds")).toBeTruthy();
  await userEvent.type(seconds, "0");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  expect(await screen.findByText("<b>Top</b>")).toBeTruthy();
  expect(sent(call("PUT", "zones/main_banner"))[0]?.body).toEqual({ name: "<b>Top</b>", refresh_seconds: 30 });
});

test("a zone is deleted after a confirmation that explains what is kept", async () => {
  const { sent } = await open(someSettings(), {
    [call("DELETE", "zones/main_banner")]: () => someSettings({ zones: [] }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Delete Main banner" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete zone main_banner?" }));
  expect(dialog.getByText(/Its statistics are kept under the id main_banner.*reappears with its next/)).toBeTruthy();
  expect(sent(call("DELETE", "zones/main_banner"))).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Delete zone" }));
  expect(await screen.findByText("No zones found")).toBeTruthy();
  expect(sent(call("DELETE", "zones/main_banner"))).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("an app without zones says why and links to the instructions", async () => {
  await open(someSettings({ zones: [] }));
  expect(await screen.findByText("No zones found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the instructions" }).getAttribute("href")).toBe(
    `/apps/${UUID}/settings`,
  );
});

test("a zone has its figures of the last days, and its name opens its requests", async () => {
  const row = {
    id: "main_banner",
    name: "Main banner",
    uniques: 1,
    sessions: null,
    requests: 12_345,
    impressions: 6000,
    clicks: 3,
    fillrate: 48.6,
    ctr: 0.05,
    ecpm: 1_500_000,
    revenue: 9_000_000,
    ...NOT_COMPARED,
  };
  const table = { view: "zone", stats: [row], total: row, requests_sent: null, compared_until: null };
  const { sent } = await open(someSettings(), {
    [call("GET", "stats.json")]: () => ({ stats: table }),
  });
  const line = await screen.findByRole("row", { name: /^Main banner/ });
  await waitFor(() => expect(line.textContent).toContain("$9.00"));
  expect(line.textContent).toContain("12.3K");
  expect(within(line).getByRole("link").getAttribute("href")).toMatch(
    new RegExp(`^/apps/${UUID}/requests\\?zone=main_banner&ds=`),
  );
  expect(sent(call("GET", "stats.json"))[0]?.query.get("view")).toBe("zone");
});
