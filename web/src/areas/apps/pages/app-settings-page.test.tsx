import type { AppSettings } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { UUID, openPage, someApp, someSettings, withTitle } from "../testing/open-page.tsx";
import { AppSettingsPage } from "./app-settings-page.tsx";

const PATH = "/apps/$uuid/settings";
const call = (method: string, rest: string) => `${method} /apps/${UUID}/${rest}`;
const block = async (name: string) => within(await screen.findByRole("region", { name }));

async function open(settings = someSettings(), more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [call("GET", "settings.json")]: () => settings, ...more });
  const opened = await openPage(withTitle(AppSettingsPage), { path: PATH, at: `/apps/${UUID}/settings` });
  return { ...opened, sent };
}

test("an app for children cannot be for adults, and its flags are saved together", async () => {
  const settings = someSettings();
  const { sent } = await open(settings, {
    [call("PUT", "flags")]: ({ body }) => ({ ...settings, flags: body as AppSettings["flags"] }),
  });
  const flags = await block("The app and its ads");
  await userEvent.click(flags.getByRole("checkbox", { name: /For children/ }));
  await userEvent.click(flags.getByRole("checkbox", { name: /For adults only/ }));
  await userEvent.click(flags.getByRole("button", { name: "Save" }));
  expect(flags.getByRole("alert").textContent).toBe("An app for children cannot be for adults only");
  await userEvent.click(flags.getByRole("checkbox", { name: /For adults only/ }));
  expect(flags.getByRole("alert").textContent).toBe("");
  await userEvent.click(flags.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(flags.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "flags"))[0]?.body).toEqual({
    kids: true,
    adult: false,
    is_gaming: false,
    only_image: false,
    muted: false,
  });
});

test("a television app neither shows nor sends the flags of phones", async () => {
  const { app, flags, ...rest } = someSettings();
  const settings = { ...rest, app: { ...app, platform: "roku" as const }, flags: { ...flags, muted: true } };
  const { sent } = await open(settings, {
    [call("PUT", "flags")]: ({ body }) => ({ ...settings, flags: body as AppSettings["flags"] }),
  });
  const form = await block("The app and its ads");
  const asked = form.getAllByRole<HTMLInputElement>("checkbox").map(({ name }) => name);
  expect(asked).toEqual(["adult", "only_image"]);
  await userEvent.click(form.getByRole("checkbox", { name: /For adults only/ }));
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(form.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "flags"))[0]?.body).toMatchObject({ adult: true, muted: false, kids: false });
});

test("an app is renamed; its bundle id can change while it is in development and its SDK is off", async () => {
  const { sent } = await open(someSettings(), {
    [call("POST", "tracking_url")]: () => ({ name: "New name", bundle_id: "com.example.new" }),
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Edit the app's name/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit app" }));
  await userEvent.clear(dialog.getByLabelText("App name"));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(dialog.getByText("Your app name is required")).toBeTruthy();
  await userEvent.type(dialog.getByLabelText("App name"), "New name");
  await userEvent.clear(dialog.getByLabelText("Bundle ID"));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The app is now called New name")).toBeTruthy();
  expect(sent(call("POST", "tracking_url"))[0]?.body).toEqual({
    uuid: UUID,
    app_name: "New name",
    app_bundle_id: null,
  });
});

test.each([
  ["is published", { in_dev: 0 }],
  ["has run its SDK", { sdk_status: "on" as const }],
])("the bundle id of an app that %s is fixed", async (_, change) => {
  await open(someSettings({ app: someApp(change) }));
  await userEvent.click(await screen.findByRole("button", { name: /^Edit the app's name/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit app" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Bundle ID").readOnly).toBe(true);
});

test("a developer sees the instructions of an app, and its settings are not requested", async () => {
  const sent = answerCalls({ [call("GET", "stats.json")]: () => ({ app: someApp() }) });
  await openPage(withTitle(AppSettingsPage), {
    path: PATH,
    at: `/apps/${UUID}/settings`,
    session: someSession({ role: "SDEV" }),
  });
  expect(await screen.findByRole("heading", { name: "Tide Puzzle: Integrate" })).toBeTruthy();
  expect(screen.getByTitle("Instructions")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Mediation" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Edit/ })).toBeNull();
  expect(sent(call("GET", "settings.json"))).toEqual([]);
});

test("another account's app is not found", async () => {
  answerCalls({ [call("GET", "settings.json")]: () => refused(404, "There is no such app") });
  await openPage(() => <AppSettingsPage />, { path: PATH, at: `/apps/${UUID}/settings` });
  expect(await screen.findByText("No app found")).toBeTruthy();
});
