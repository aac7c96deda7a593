import type { AppIdentity } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { UUID, openPage, someApp } from "../testing/open-page.tsx";
import { RenameApp } from "./rename-app.tsx";

const CALL = `POST /apps/${UUID}/tracking_url`;

async function open(app: AppIdentity) {
  const sent = answerCalls({ [CALL]: () => app });
  await openPage(() => <RenameApp app={app} />, { path: "/apps" });
  await userEvent.click(screen.getByRole("button", { name: "Edit the app's name" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit app" }));
  const save = async () => {
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent(CALL)).toHaveLength(1));
    return sent(CALL)[0]?.body;
  };
  return { dialog, bundle: dialog.getByLabelText<HTMLInputElement>("Bundle ID"), save };
}

test("an empty bundle id is sent as null", async () => {
  const { bundle, save } = await open(someApp());
  await userEvent.clear(bundle);
  expect(await save()).toEqual({ uuid: UUID, app_name: null, app_bundle_id: null });
});

test("a changed bundle id is trimmed, and sent without a name that somebody else may have changed meanwhile", async () => {
  const { bundle, save } = await open(someApp());
  await userEvent.clear(bundle);
  await userEvent.type(bundle, " com.example.other ");
  expect(await save()).toEqual({ uuid: UUID, app_name: null, app_bundle_id: "com.example.other" });
});

test("the server's message says that the app is moderated again", async () => {
  const message = "A moderator checks the app again.";
  answerCalls({ [CALL]: () => ({ name: "Tide Puzzle", bundle_id: "com.example.other", message }) });
  await openPage(() => <RenameApp app={someApp()} />, { path: "/apps" });
  await userEvent.click(screen.getByRole("button", { name: "Edit the app's name" }));
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(await screen.findAllByText(message)).toHaveLength(1);
});

test.each([
  [1, "off", true],
  [1, "download", true],
  [1, "on", false],
  [1, "check", false],
  [1, "update", false],
  [1, "bad", false],
  [0, "off", false],
  [0, "download", false],
] as const)(
  "in development: %i, SDK %s: whether the bundle id can be edited is %s",
  async (in_dev, sdk_status, may) => {
    const { bundle, dialog, save } = await open(someApp({ in_dev, sdk_status }));
    expect(bundle.readOnly).toBe(!may);
    await userEvent.type(dialog.getByLabelText("App name"), " 2");
    expect(await save()).toEqual({ uuid: UUID, app_name: "Tide Puzzle 2", app_bundle_id: null });
  },
);
