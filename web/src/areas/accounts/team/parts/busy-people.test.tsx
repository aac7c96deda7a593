import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../../testing/answer-calls.ts";
import { openTeam } from "../../profile/testing/open-profile.tsx";
import { GUEST, MANAGER, someProfile } from "../../profile/testing/some-profile.ts";

/** The profile with a call that the test answers on demand. */
async function open(call: string, reply: unknown) {
  let answer: () => void = () => {};
  answerCalls({
    "GET /profile.json": () => someProfile({ sub_users: [GUEST], managers: [MANAGER] }),
    [call]: () => new Promise((resolve) => (answer = () => resolve(reply))),
  });
  await openTeam();
  return () => answer();
}
const isBusy = (button: HTMLElement) => button.hasAttribute("data-loading");

test.each([
  ["Delete", "Delete sub-user", `POST /profile/guest/${GUEST.uuid}/delete`, GUEST.email, { ok: 1 }],
  [
    "New password for",
    "Create new password",
    `POST /profile/guest/${GUEST.uuid}/edit`,
    GUEST.email,
    { ...GUEST, salt: "s" },
  ],
  ["Delete", "Delete manager", `POST /manager/${MANAGER.uuid}/delete`, MANAGER.email, { ok: 1 }],
])("while %s is done, %s is busy", async (opens, does, call, email, reply) => {
  const answer = await open(call, reply);
  await userEvent.click(await screen.findByRole("button", { name: `${opens} ${email}` }));
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: does });
  expect(isBusy(button)).toBe(false);
  await userEvent.click(button);
  await waitFor(() => expect(isBusy(button)).toBe(true));
  answer();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("while a sub-user is added, the button is busy", async () => {
  const answer = await open("POST /profile/guest/add", { ...GUEST, salt: "s3cret" });
  const block = within(await screen.findByRole("region", { name: "Sub-users" }));
  await userEvent.click(block.getByRole("button", { name: "Add sub-user" }));
  const form = within(await screen.findByRole("dialog", { name: "Add sub-user" }));
  await userEvent.selectOptions(form.getByLabelText("Role"), "GST");
  const button = form.getByRole("button", { name: "Add sub-user" });
  await userEvent.click(button);
  await waitFor(() => expect(isBusy(button)).toBe(true));
  answer();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
