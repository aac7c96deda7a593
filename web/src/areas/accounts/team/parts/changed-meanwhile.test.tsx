import { type Manager, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../../testing/answer-calls.ts";
import { openTeam } from "../../profile/testing/open-profile.tsx";
import { GUEST, INVITED, MANAGER, someProfile } from "../../profile/testing/some-profile.ts";

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("a manager's form does not overwrite somebody else's change, and can be reloaded", async () => {
  let saved: Manager = { ...MANAGER, is_super_manager: true };
  const path = `POST /manager/${MANAGER.uuid}/edit`;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ managers: [saved] }),
    [path]: ({ body, query }) =>
      query.get("revision") === saved.revision
        ? (saved = { ...saved, ...(body as object), revision: "manager-3" })
        : refused(409, TEXTS.stale),
  });
  await openTeam();
  await userEvent.click(await screen.findByRole("button", { name: `Edit ${MANAGER.email}` }));
  const opened = await dialog("Edit manager");
  const right = () => opened.getByLabelText<HTMLInputElement>("May add and remove managers");
  const name = () => opened.getByLabelText<HTMLInputElement>("Name");
  await userEvent.type(name(), " Hopper");
  saved = { ...saved, is_super_manager: false, revision: "manager-2" };
  await userEvent.click(opened.getByRole("button", { name: "Save" }));
  expect(await opened.findByText(TEXTS.stale)).toBeTruthy();
  expect([name().value, right().checked]).toEqual(["Grace Hopper", true]);

  await userEvent.click(opened.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect([name().value, right().checked]).toEqual(["Grace", false]));
  await userEvent.type(name(), " Hopper");
  await userEvent.click(opened.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Grace Hopper")).toBeTruthy();
  expect(sent(path).at(-1)?.body).toMatchObject({ name: "Grace Hopper", is_super_manager: false });
});

test("the dialog closes if its sub-user is deleted by the time of the reload", async () => {
  let sub_users = [GUEST];
  answerCalls({
    "GET /profile.json": () => someProfile({ sub_users }),
    [`POST /profile/guest/${GUEST.uuid}/edit`]: () => refused(409, TEXTS.stale),
  });
  await openTeam();
  await userEvent.click(await screen.findByRole("button", { name: `Edit ${GUEST.email}` }));
  const opened = await dialog("Edit sub-user");
  await userEvent.click(opened.getByRole("button", { name: "Save" }));
  await opened.findByText(TEXTS.stale);
  sub_users = [];
  await userEvent.click(opened.getByRole("button", { name: "Reload" }));
  expect(await screen.findByText("No sub-users found")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a repeated invitation has the rights that are saved by then", async () => {
  let sub_users = [INVITED];
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users }),
    "POST /profile/guest/invite": () => INVITED,
  });
  await openTeam();
  const resend = await screen.findByRole("button", { name: `Resend the invitation of ${INVITED.email}` });
  sub_users = [{ ...INVITED, role_code: "GST", app_ids: [1], revision: "invited-2" }];
  await userEvent.click(resend);
  expect(await screen.findByText(`A new invitation was sent to ${INVITED.email}`)).toBeTruthy();
  expect(sent("POST /profile/guest/invite").at(-1)?.body).toMatchObject({ role_code: "GST", app_ids: [1] });

  sub_users = [];
  await userEvent.click(resend);
  expect(await screen.findByText("No sub-users found")).toBeTruthy();
  expect(sent("POST /profile/guest/invite")).toHaveLength(1);
});
