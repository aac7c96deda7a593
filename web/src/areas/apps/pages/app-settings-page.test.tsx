import type { AppSettings } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { UUID, openPage, someApp, someSettings } from "../testing/open-page.tsx";
import { TitleSlotProvider } from "../../../ui/page-title.tsx";
import { AppSettingsPage } from "./app-settings-page.tsx";

// Typing is simulated key by key, which takes long on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const PATH = "/apps/$uuid/settings";
const call = (method: string, rest: string) => `${method} /apps/${UUID}/${rest}`;
const block = async (name: string) => within(await screen.findByRole("region", { name }));

async function open(tab: string, settings = someSettings(), more: Parameters<typeof answerCalls>[0] = {}) {
  const sent = answerCalls({ [call("GET", "settings.json")]: () => settings, ...more });
  const opened = await openPage(WithTitle, { path: PATH, at: `/apps/${UUID}/settings?tab=${tab}` });
  return { ...opened, sent };
}

/** The page with the slot for its title. */
function WithTitle() {
  const slot = document.createElement("header");
  document.body.append(slot);
  return (
    <TitleSlotProvider value={document.querySelector("header")}>
      <AppSettingsPage />
    </TitleSlotProvider>
  );
}

test("floors are saved together, exact to the micro-dollar, and the form confirms it", async () => {
  const settings = someSettings();
  const { sent } = await open("mediation", settings, {
    [call("PUT", "floors")]: ({ body }) => ({ ...settings, floors: (body as Pick<AppSettings, "floors">).floors }),
  });
  const floors = await block("Floors");
  const save = floors.getByRole<HTMLButtonElement>("button", { name: "Save floors" });
  expect(save.getAttribute("aria-disabled")).toBe("true");
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.17");
  await userEvent.click(floors.getByRole("button", { name: "Add floor" }));
  expect(floors.getByRole("status").textContent).toBe("Not saved yet");
  await userEvent.click(save);
  expect(floors.getByText("This field is required")).toBeTruthy();
  expect(floors.getByRole("alert").textContent).toBe("Please check highlighted fields before submitting");
  await userEvent.type(floors.getAllByLabelText("Floor in $")[1]!, "0.000001");
  await userEvent.selectOptions(floors.getAllByLabelText("Format")[1]!, "banner");
  await userEvent.click(save);
  await waitFor(() => expect(floors.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "floors"))[0]?.body).toEqual({
    floors: [
      { country: "US", format: "video", floor: 5_170_000 },
      { country: null, format: "banner", floor: 1 },
    ],
  });
});

test("a refused change says why and can be saved again or undone", async () => {
  await open("mediation", someSettings(), { [call("PUT", "floors")]: () => refused(503, "The store is away") });
  const floors = await block("Floors");
  await userEvent.click(floors.getByRole("button", { name: "Remove floor 1" }));
  expect(document.activeElement).toBe(floors.getByRole("button", { name: "Add floor" }));
  await userEvent.click(floors.getByRole("button", { name: "Save floors" }));
  expect(await floors.findByText("The store is away")).toBeTruthy();
  expect(floors.getByRole("status").textContent).toBe("Not saved yet");
  await userEvent.click(floors.getByRole("button", { name: "Undo changes" }));
  expect(floors.getByLabelText<HTMLInputElement>("Floor in $").value).toBe("5.17");
  expect(floors.getByRole("status").textContent).toBe("");
});

test("text typed while saving is kept and saved next", async () => {
  const settings = someSettings();
  let answer: (reply: AppSettings) => void = () => {};
  const { sent } = await open("mediation", settings, {
    [call("PUT", "test_devices")]: () => new Promise<AppSettings>((resolve) => (answer = resolve)),
  });
  const devices = await block("Test devices");
  const ids = devices.getByLabelText<HTMLTextAreaElement>("Advertising ids");
  await userEvent.type(ids, "38400000-8cf0-11bd-b23e-10b96e40000d");
  await userEvent.click(devices.getByRole("button", { name: "Save test devices" }));
  await waitFor(() => expect(sent(call("PUT", "test_devices"))).toHaveLength(1));
  await userEvent.type(ids, "\n58400000-8cf0-11bd-b23e-10b96e40000d");
  expect(devices.getByRole("status").textContent).toBe("Saving");
  answer({ ...settings, test_devices: ["38400000-8cf0-11bd-b23e-10b96e40000d"] });
  await waitFor(() => expect(devices.getByRole("status").textContent).toBe("Not saved yet"));
  expect(ids.value).toBe("38400000-8cf0-11bd-b23e-10b96e40000d\n58400000-8cf0-11bd-b23e-10b96e40000d");
});

test("categories and domains are blocked together", async () => {
  const settings = someSettings();
  const { sent } = await open("mediation", settings, {
    [call("PUT", "blocks")]: ({ body }) => ({ ...settings, blocks: body as AppSettings["blocks"] }),
  });
  const blocks = await block("Blocked advertising");
  expect(blocks.getByText("Non-Standard Content")).toBeTruthy();
  await userEvent.click(blocks.getByRole("button", { name: "Allow Non-Standard Content" }));
  expect(document.activeElement).toBe(blocks.getByRole("group", { name: "Categories" }));
  const domains = blocks.getByLabelText("Advertiser domains");
  await userEvent.type(domains, "\nbad domain");
  await userEvent.click(blocks.getByRole("button", { name: "Save blocks" }));
  expect(blocks.getByRole("alert").textContent).toBe("bad: Use a domain like shop.example");
  await userEvent.clear(domains);
  await userEvent.type(domains, "a.example, b.example");
  await userEvent.click(blocks.getByRole("button", { name: "Save blocks" }));
  await waitFor(() => expect(blocks.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "blocks")).map(({ body }) => body)).toEqual([
    { categories: [], domains: ["a.example", "b.example"] },
  ]);
});

test("a partner is switched immediately; one without keys links to them, and a disabled one says so", async () => {
  const settings = someSettings();
  const [alpha] = settings.partners;
  const { sent } = await open("mediation", settings, {
    [call("PUT", "partners/alpha")]: () => ({ ...settings, partners: [{ ...alpha!, enabled: false }] }),
  });
  const partners = await block("Partners");
  await userEvent.click(partners.getByRole("button", { name: "All partners" }));
  expect(partners.getByRole("link", { name: "Add keys at Beta" }).getAttribute("href")).toBe(`/apps/${UUID}/dsp`);
  expect(partners.getByText("disabled by the platform")).toBeTruthy();
  const alphaSwitch = partners.getByRole("switch", { name: "Alpha takes part" });
  expect(alphaSwitch.getAttribute("aria-checked")).toBe("true");
  await userEvent.click(alphaSwitch);
  await waitFor(() =>
    expect(partners.getByRole("switch", { name: "Alpha takes part" }).getAttribute("aria-checked")).toBe("false"),
  );
  expect(sent(call("PUT", "partners/alpha"))[0]?.body).toEqual({ enabled: false });
});

test("a refused switch keeps its state and says why", async () => {
  await open("mediation", someSettings(), { [call("PUT", "partners/alpha")]: () => refused(503, "Later, please") });
  const partners = await block("Partners");
  await userEvent.click(partners.getByRole("switch", { name: "Alpha takes part" }));
  expect(await partners.findByText("Later, please")).toBeTruthy();
  expect(partners.getByRole("switch", { name: "Alpha takes part" }).getAttribute("aria-checked")).toBe("true");
});

test("flags and test devices are saved separately", async () => {
  const settings = someSettings();
  const { sent } = await open("mediation", settings, {
    [call("PUT", "flags")]: ({ body }) => ({ ...settings, flags: body as AppSettings["flags"] }),
    [call("PUT", "test_devices")]: ({ body }) => ({
      ...settings,
      test_devices: (body as { devices: string[] }).devices,
    }),
  });
  const flags = await block("The app and its ads");
  await userEvent.click(flags.getByRole("checkbox", { name: /For children/ }));
  await userEvent.click(flags.getByRole("checkbox", { name: /For adults only/ }));
  await userEvent.click(flags.getByRole("button", { name: "Save" }));
  expect(flags.getByRole("alert").textContent).toBe("An app for children cannot be for adults only");
  await userEvent.click(flags.getByRole("checkbox", { name: /For adults only/ }));
  const devices = await block("Test devices");
  await userEvent.type(devices.getByLabelText("Advertising ids"), "38400000-8cf0-11bd-b23e-10b96e40000d");
  await userEvent.click(devices.getByRole("button", { name: "Save test devices" }));
  await waitFor(() => expect(devices.getByRole("status").textContent).toBe("Saved"));
  // Unsaved changes in other blocks survive.
  expect(flags.getByRole("status").textContent).toBe("Not saved yet");
  await userEvent.click(flags.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(flags.getByRole("status").textContent).toBe("Saved"));
  expect(sent(call("PUT", "flags"))[0]?.body).toEqual({
    kids: true,
    adult: false,
    is_gaming: false,
    only_image: false,
    muted: false,
  });
  expect(sent(call("PUT", "test_devices"))[0]?.body).toEqual({ devices: ["38400000-8cf0-11bd-b23e-10b96e40000d"] });
});

test("a television app neither shows nor sends the flags of phones", async () => {
  const { app, flags, ...rest } = someSettings();
  const settings = { ...rest, app: { ...app, platform: "roku" as const }, flags: { ...flags, muted: true } };
  const { sent } = await open("mediation", settings, {
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

test("a zone is renamed, and its refresh time is in whole seconds", async () => {
  const settings = someSettings();
  const [zone] = settings.zones;
  const { sent } = await open("zones", settings, {
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
  expect(dialog.getByText("At least 5 seconds")).toBeTruthy();
  await userEvent.type(seconds, "0");
  await userEvent.click(dialog.getByRole("button", { name: "Save zone" }));
  expect(await screen.findByText("<b>Top</b>")).toBeTruthy();
  expect(sent(call("PUT", "zones/main_banner"))[0]?.body).toEqual({ name: "<b>Top</b>", refresh_seconds: 30 });
});

test("a zone is deleted after a confirmation that explains what is kept", async () => {
  const { sent } = await open("zones", someSettings(), {
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
  const { router } = await open("zones", someSettings({ zones: [] }));
  expect(await screen.findByText("No zones found")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open the instructions" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe(""));
  expect(screen.getByRole("tab", { name: "Instructions" }).getAttribute("aria-selected")).toBe("true");
});

test("an app is renamed; its bundle id can change while it is in development and its SDK is off", async () => {
  const { sent } = await open("zones", someSettings(), {
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
  await open("zones", someSettings({ app: someApp(change) }));
  await userEvent.click(await screen.findByRole("button", { name: /^Edit the app's name/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit app" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Bundle ID").readOnly).toBe(true);
});

test("a developer sees the instructions of an app, and its settings are not requested", async () => {
  const sent = answerCalls({ [call("GET", "stats.json")]: () => ({ app: someApp() }) });
  await openPage(WithTitle, {
    path: PATH,
    at: `/apps/${UUID}/settings?tab=mediation`,
    session: someSession({ role: "SDEV" }),
  });
  expect(await screen.findByRole("heading", { name: "Tide Puzzle: Instructions" })).toBeTruthy();
  expect(screen.getByTitle("Instructions")).toBeTruthy();
  expect(screen.queryByRole("tab")).toBeNull();
  expect(screen.queryByRole("button", { name: /Edit/ })).toBeNull();
  expect(sent(call("GET", "settings.json"))).toEqual([]);
});

test("the tab is in the address and can be selected with arrow keys", async () => {
  const { router } = await open("zones");
  const tab = await screen.findByRole("tab", { name: "Zones" });
  tab.focus();
  await userEvent.keyboard("{ArrowRight}");
  await waitFor(() => expect(router.state.location.searchStr).toBe("?tab=mediation"));
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Mediation" }));
});

test("another account's app is not found", async () => {
  answerCalls({ [call("GET", "settings.json")]: () => refused(404, "There is no such app") });
  await openPage(() => <AppSettingsPage />, { path: PATH, at: `/apps/${UUID}/settings` });
  expect(await screen.findByText("No app found")).toBeTruthy();
});
