import { type LookupItem, type Role, TEXTS } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SESSION_KEY } from "../../../shared/session.ts";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { UUID, openPage } from "../testing/open-page.tsx";
import { AddAppButton } from "./add-app-button.tsx";

const SETTINGS = `/apps/${UUID}/settings`;
const ADDED = { redirect_to: SETTINGS, uuid: UUID, message: "Your application is being moderated. Please wait." };
const dialog = async () => within(await screen.findByRole("dialog", { name: "Add New App" }));
const sessionOf = (role: Role, isNew: boolean) =>
  someSession({ role, globalConfig: { is_first_visit: false, is_new: isNew, show_agreement: 0 } });
const open = (isNew = false, role: "owner" | "GST" = "owner") =>
  openPage(() => <AddAppButton />, { path: "/apps", session: sessionOf(role, isNew) });

async function openTab(name: RegExp) {
  await userEvent.click((await dialog()).getByRole("tab", { name }));
  return dialog();
}

test("for a new user the dialog opens by itself, has the demo tab, and a click outside does not close it", async () => {
  await open(true);
  const modal = await dialog();
  expect(modal.getAllByRole("tab").map((tab) => tab.textContent)).toEqual([
    "01 Already Published",
    "02 In development (Alt markets)",
    "03 Take a look (demo)",
  ]);
  await userEvent.click(document.querySelector(".mantine-Modal-overlay")!);
  expect(screen.getByRole("dialog")).toBeTruthy();
  await userEvent.click(modal.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a new user who still has to accept the terms sees nothing else", async () => {
  const somebody = sessionOf("owner", true);
  const session = { ...somebody, globalConfig: { ...somebody.globalConfig, show_agreement: 1 } };
  const { queryClient } = await openPage(() => <AddAppButton />, { path: "/apps", session });
  await screen.findByRole("button", { name: "Add New App" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => {
    queryClient.setQueryData(SESSION_KEY, somebody);
  });
  await dialog();
});

test("a user with apps opens the dialog with the button, without the demo tab, and closes it with a click outside", async () => {
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Add New App" }));
  expect((await dialog()).getAllByRole("tab").length).toBe(2);
  await userEvent.click(document.querySelector(".mantine-Modal-overlay")!);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a role without the right to add apps sees neither the button nor the dialog", async () => {
  await open(true, "GST");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("sample apps are added with one button", async () => {
  const sent = answerCalls({ "POST /apps/add_app": () => ({ redirect_to: "/apps" }) });
  await open(true);
  const modal = await openTab(/Take a look/);
  await userEvent.click(modal.getByRole("button", { name: "Add sample apps" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent("POST /apps/add_app")[0]?.body).toEqual({ type: "apps", demo: "1" });
});

test("an app in development is added by its bundle id, and its settings open", async () => {
  const replies = [new Response("", { status: 502 }), ADDED];
  const sent = answerCalls({ "POST /apps/add_app": () => replies.shift() });
  const { router } = await open(true);
  const modal = await openTab(/In development/);
  expect(modal.getByLabelText<HTMLSelectElement>("Platform").value).toBe("ios");
  expect(modal.queryByLabelText("Kind of app")).toBeNull();
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  expect(modal.getByText("Your bundle ID is required")).toBeTruthy();
  expect(modal.getByText("Please check highlighted fields before submitting")).toBeTruthy();
  expect(sent("POST /apps/add_app").length).toBe(0);
  await userEvent.type(modal.getByLabelText("Bundle ID"), "com.example.new");
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  await modal.findByText(TEXTS.requestFailed);
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(SETTINGS));
  const keys = sent("POST /apps/add_app").map(({ query }) => query.get("key"));
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  expect(sent("POST /apps/add_app")[0]?.body).toMatchObject({ dev: 1, platform: "ios", bundle_id: "com.example.new" });
});

test("the form's fields depend on the platform", async () => {
  const sent = answerCalls({ "POST /apps/add_app": () => ADDED });
  await open(true);
  const modal = await openTab(/In development/);
  await userEvent.click(modal.getByLabelText("The app is for children"));
  await userEvent.selectOptions(modal.getByLabelText("Platform"), "android");
  expect([...modal.getByLabelText("Kind of app").children].map((option) => option.textContent)).toEqual([
    "Non-game",
    "Game",
  ]);
  await userEvent.selectOptions(modal.getByLabelText("Platform"), "roku");
  expect(modal.queryByLabelText("Bundle ID")).toBeNull();
  expect(modal.queryByLabelText("The app is for children")).toBeNull();
  expect(modal.queryByLabelText("Video ads start muted")).toBeNull();
  await userEvent.type(modal.getByLabelText("Name"), "My Channel");
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(sent("POST /apps/add_app").length).toBe(1));
  expect(sent("POST /apps/add_app")[0]?.body).toMatchObject({ platform: "roku", name: "My Channel", kids: false });
});

test("an app is muted before the browser navigates on", async () => {
  let mutedAt: string | undefined;
  const { router } = await open(true);
  answerCalls({
    "POST /apps/add_app": () => ADDED,
    [`POST /apps/${UUID}/app_mute`]: () => {
      mutedAt = router.state.location.pathname;
      return { muted: true };
    },
  });
  const modal = await openTab(/In development/);
  await userEvent.type(modal.getByLabelText("Bundle ID"), "com.example.new");
  await userEvent.click(modal.getByLabelText("Video ads start muted"));
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(SETTINGS));
  expect(mutedAt).toBe("/apps");
});

test("a developer adds a muted app without a second call, for which the role has no right", async () => {
  const { router } = await openPage(() => <AddAppButton />, { path: "/apps", session: sessionOf("SDEV", true) });
  const sent = answerCalls({ "POST /apps/add_app": () => ADDED });
  const modal = await openTab(/In development/);
  await userEvent.type(modal.getByLabelText("Bundle ID"), "com.example.new");
  await userEvent.click(modal.getByLabelText("Video ads start muted"));
  await userEvent.click(modal.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(SETTINGS));
  expect(sent("POST /apps/add_app")[0]?.body).toMatchObject({ mute: true });
  expect(screen.queryByText("The app was added, but it could not be muted")).toBeNull();
});

const item = (platform: LookupItem["platform"]): LookupItem => ({
  id: `${platform}:com.example.tide`,
  platform,
  name: "<script>alert(1)</script>",
  logo_url: null,
  url: "https://play.google.com/store/apps/details?id=com.example.tide",
});

async function search(text: string) {
  const modal = await dialog();
  await userEvent.type(modal.getByLabelText("Bundle ID or app url"), text);
  await userEvent.click(modal.getByRole("button", { name: "Search" }));
}

test("an empty search is not sent", async () => {
  const sent = answerCalls({});
  await open(true);
  await userEvent.click((await dialog()).getByRole("button", { name: "Search" }));
  expect(await screen.findByText("Your bundle ID or app url is required")).toBeTruthy();
  expect(sent("POST /apps/add_app").length).toBe(0);
});

test("an app found in the store is chosen and added", async () => {
  const sent = answerCalls({
    "POST /apps/add_app": ({ body }) =>
      (body as { item?: string }).item === undefined
        ? { qid: "q1", status: "done", items: [item("android"), item("androidtv")] }
        : ADDED,
  });
  const { router } = await open(true);
  await search("com.example.tide");
  const choices = await screen.findAllByRole("radio");
  expect(choices.length).toBe(2);
  expect(screen.getAllByText("<script>alert(1)</script>").length).toBe(2);
  await userEvent.click(screen.getByRole("button", { name: "Add app" }));
  expect(screen.getByText("This field is required")).toBeTruthy();
  await userEvent.click(choices[0]!);
  await userEvent.selectOptions(screen.getByLabelText("Kind of app"), "1");
  await userEvent.click(screen.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(SETTINGS));
  expect(sent("POST /apps/add_app").at(-1)?.body).toMatchObject({
    qid: "q1",
    item: "android:com.example.tide",
    is_gaming: 1,
  });
});

test("a search without results says so, and the next search starts with the same text", async () => {
  answerCalls({ "POST /apps/add_app": () => ({ qid: "q1", status: "done", items: [] }) });
  await open(true);
  await search("com.example.none");
  expect(await screen.findByText("No apps found")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Search again" }));
  expect(screen.getByLabelText<HTMLInputElement>("Bundle ID or app url").value).toBe("com.example.none");
});

test("if the store is unreachable, the app is entered manually", async () => {
  const sent = answerCalls({
    "POST /apps/add_app": ({ body }) =>
      (body as { manual?: 1 }).manual === 1 ? ADDED : { qid: "q1", status: "unreachable" },
  });
  const { router } = await open(true);
  await search("id123456");
  expect(await screen.findByText(/The store cannot be reached right now/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("App name"), "Tide");
  await userEvent.type(screen.getByLabelText("Bundle ID"), "com.example.tide");
  await userEvent.click(screen.getByRole("button", { name: "Add app" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(SETTINGS));
  expect(sent("POST /apps/add_app").at(-1)?.body).toMatchObject({
    manual: 1,
    url: "id123456",
    platform: "ios",
    name: "Tide",
    bundle_id: "com.example.tide",
  });
});

test("the server's error is shown under its field, and the input is kept", async () => {
  answerCalls({ "POST /apps/add_app": () => refused(400, { url: "Use an app's address" }) });
  await open(true);
  await search("nonsense!");
  expect(await screen.findByText("Use an app's address")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Bundle ID or app url").value).toBe("nonsense!");
});
