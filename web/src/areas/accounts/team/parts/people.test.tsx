import { type Manager, type SubUser, TEXTS } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { refused, answerCalls } from "../../../../testing/answer-calls.ts";
import { openTeam } from "../../profile/testing/open-profile.tsx";
import { GUEST, INVITED, MANAGER, someProfile } from "../../profile/testing/some-profile.ts";

const region = async (name: string) => within(await screen.findByRole("region", { name }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("a sub-user is added with a role, and its password shown in the list", async () => {
  const sub_users: SubUser[] = [];
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users }),
    "POST /profile/guest/add": () => {
      sub_users.push(GUEST);
      return { ...GUEST, salt: "s3cret-salt" };
    },
  });
  await openTeam();
  const block = await region("Sub-users");
  expect(block.getByText("No sub-users found")).toBeTruthy();
  await userEvent.click(block.getByRole("button", { name: "Add sub-user" }));
  const form = await dialog("Add sub-user");
  await userEvent.click(form.getByRole("button", { name: "Add sub-user" }));
  expect(form.getByText("Please choose a role")).toBeTruthy();
  expect(sent("POST /profile/guest/add")).toHaveLength(0);
  await userEvent.selectOptions(form.getByLabelText("Role"), "Guest");
  await userEvent.click(form.getByRole("button", { name: "Add sub-user" }));
  expect(await block.findByRole("button", { name: /s3cret-salt/ })).toBeTruthy();
  expect(block.getByRole("button", { name: /^gst-0a1b2c3d@users/ })).toBeTruthy();
  // The call takes no empty name: without one, the sub-user is named after the role.
  expect(sent("POST /profile/guest/add").at(-1)?.body).toEqual({ role_code: "GST", app_ids: null });
});

test("a sub-user is added with a name, and renamed", async () => {
  const guest = { ...GUEST, name: "Grace" };
  const sub_users: SubUser[] = [];
  let tries = 0;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users: sub_users.map((user) => ({ ...user })) }),
    "POST /profile/guest/add": () => {
      if (tries++ === 0) return new Response("", { status: 502 });
      sub_users.push(guest);
      return { ...guest, salt: "s3cret-salt" };
    },
    [`POST /profile/guest/${GUEST.uuid}/edit`]: ({ body }) => Object.assign(guest, body),
  });
  await openTeam();
  const block = await region("Sub-users");
  await userEvent.click(block.getByRole("button", { name: "Add sub-user" }));
  const form = await dialog("Add sub-user");
  await userEvent.type(form.getByLabelText("Name"), "Grace");
  await userEvent.selectOptions(form.getByLabelText("Role"), "Guest");
  await userEvent.click(form.getByRole("button", { name: "Add sub-user" }));
  await form.findByText(TEXTS.requestFailed);
  await userEvent.click(form.getByRole("button", { name: "Add sub-user" }));
  expect(await block.findByText("Grace")).toBeTruthy();
  const keys = sent("POST /profile/guest/add").map(({ query }) => query.get("key"));
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  expect(sent("POST /profile/guest/add").at(-1)?.body).toEqual({ name: "Grace", role_code: "GST", app_ids: null });
  await userEvent.click(block.getByRole("button", { name: `Edit ${GUEST.email}` }));
  const edit = await dialog("Edit sub-user");
  const name = edit.getByLabelText<HTMLInputElement>("Name");
  expect(name.value).toBe("Grace");
  await userEvent.clear(name);
  await userEvent.type(name, "Margaret{Enter}");
  expect(await block.findByText("Margaret")).toBeTruthy();
});

test("a sub-user is invited by e-mail with a role; the invitation is sent again and withdrawn", async () => {
  let sub_users: SubUser[] = [];
  let refuses = true;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users }),
    "POST /profile/guest/invite": () => {
      if (sub_users.length > 0 && refuses) return refused(429, "Too many mails to this e-mail");
      sub_users = [INVITED];
      return INVITED;
    },
    [`POST /profile/guest/${INVITED.uuid}/delete`]: () => {
      sub_users = [];
      return { ok: 1 };
    },
  });
  await openTeam();
  const block = await region("Sub-users");
  await userEvent.click(block.getByRole("button", { name: "Invite by e-mail" }));
  const form = await dialog("Invite by e-mail");
  await userEvent.click(form.getByRole("button", { name: "Invite" }));
  expect(form.getByText("Please choose a role")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Email"), INVITED.email);
  await userEvent.type(form.getByLabelText("Name"), "Dee");
  await userEvent.selectOptions(form.getByLabelText("Role"), "Developer");
  await userEvent.click(form.getByRole("button", { name: "Invite" }));
  expect(await block.findByText("Invited")).toBeTruthy();
  expect(block.getByText(/waiting since Nov 19th, 2026/).textContent).toContain("link works until Nov 26th, 2026");
  const body = { email: INVITED.email, name: "Dee", role_code: "SDEV", app_ids: null };
  expect(sent("POST /profile/guest/invite").map((one) => one.body)).toEqual([body]);
  // The person chooses the password, so that nobody else knows it.
  expect(block.getByText("their own choice")).toBeTruthy();
  expect(block.queryByRole("button", { name: /^New password/ })).toBeNull();

  const resend = block.getByRole("button", { name: `Resend the invitation of ${INVITED.email}` });
  await userEvent.click(resend);
  expect(await block.findByText("Too many mails to this e-mail")).toBeTruthy();
  refuses = false;
  await userEvent.click(resend);
  expect(await screen.findByText(`A new invitation was sent to ${INVITED.email}`)).toBeTruthy();
  expect(block.queryByText("Too many mails to this e-mail")).toBeNull();
  expect(sent("POST /profile/guest/invite").at(-1)?.body).toEqual(body);

  await userEvent.click(block.getByRole("button", { name: `Withdraw the invitation of ${INVITED.email}` }));
  await userEvent.click((await dialog("Withdraw invitation")).getByRole("button", { name: "Withdraw invitation" }));
  expect(await block.findByText("No sub-users found")).toBeTruthy();
});

test("a sub-user's role changes in the list; a failure stands below it", async () => {
  const guest = { ...GUEST };
  let refuses = true;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users: [guest] }),
    [`POST /profile/guest/${GUEST.uuid}/edit`]: () => {
      if (refuses) return refused(503, "The store is away");
      guest.role_code = "SDEV";
      return guest;
    },
  });
  await openTeam();
  const select = await screen.findByLabelText<HTMLSelectElement>(`Role of ${GUEST.email}`);
  await userEvent.selectOptions(select, "Developer");
  expect(await screen.findByText("The store is away")).toBeTruthy();
  expect(select.value).toBe("GST");
  refuses = false;
  await userEvent.selectOptions(select, "Developer");
  await waitFor(() => expect(screen.queryByText("The store is away")).toBeNull());
  await waitFor(() => expect(guest.role_code).toBe("SDEV"));
  await waitFor(() => expect(select.getAttribute("aria-busy")).toBe("false"));
  expect(select.value).toBe("SDEV");
  expect(document.activeElement).toBe(select);
  expect(sent(`POST /profile/guest/${GUEST.uuid}/edit`).at(-1)?.body).toEqual({ role_code: "SDEV" });
});

test("a sub-user's new password and deletion ask for confirmation", async () => {
  let sub_users = [GUEST];
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ sub_users }),
    [`POST /profile/guest/${GUEST.uuid}/edit`]: () => ({ ...GUEST, salt: "an0ther-salt" }),
    [`POST /profile/guest/${GUEST.uuid}/delete`]: () => {
      sub_users = [];
      return { ok: 1 };
    },
  });
  await openTeam();
  const block = await region("Sub-users");
  expect(block.getByText("shown once, when created")).toBeTruthy();
  await userEvent.click(block.getByRole("button", { name: `New password for ${GUEST.email}` }));
  await userEvent.click((await dialog("New password")).getByRole("button", { name: "Create new password" }));
  expect(await block.findByRole("button", { name: /an0ther-salt/ })).toBeTruthy();
  expect(sent(`POST /profile/guest/${GUEST.uuid}/edit`).at(-1)?.body).toEqual({ new_password: 1 });

  await userEvent.click(block.getByRole("button", { name: `Delete ${GUEST.email}` }));
  await userEvent.click((await dialog("Delete sub-user")).getByRole("button", { name: "Cancel" }));
  expect(sent(`POST /profile/guest/${GUEST.uuid}/delete`)).toHaveLength(0);
  await userEvent.click(block.getByRole("button", { name: `Delete ${GUEST.email}` }));
  await userEvent.click((await dialog("Delete sub-user")).getByRole("button", { name: "Delete sub-user" }));
  expect(await block.findByText("No sub-users found")).toBeTruthy();
});

test("the rights of each role come from the table of rights", async () => {
  answerCalls({ "GET /profile.json": () => someProfile() });
  await openTeam();
  const rights = within(
    (await region("Rights for access")).getByRole("table", { name: "Rights for access of the team" }),
  );
  const answers = (deed: string) =>
    within(rights.getByRole("row", { name: new RegExp(`^${deed}`) }))
      .getAllByRole("cell")
      .map(({ textContent }) => textContent);
  expect(rights.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Rights for access",
    "Administrator",
    "Developer",
    "Guest",
    "Manager",
    "Super manager",
  ]);
  expect(answers("See apps and their statistics")).toEqual(["Yes", "Yes", "Yes", "Yes", "Yes"]);
  expect(answers("See all apps together")).toEqual(["Yes", "No", "Yes", "Yes", "Yes"]);
  expect(answers("Add apps")).toEqual(["Yes", "Yes", "No", "Yes", "Yes"]);
  expect(answers("Delete apps")).toEqual(["Yes", "No", "No", "Yes", "Yes"]);
  expect(answers("See campaigns and their statistics")).toEqual(["Yes", "No", "Yes", "Yes", "Yes"]);
  expect(answers("Create the access token")).toEqual(["No", "No", "No", "No", "No"]);
});

test("a manager is invited, listed as invited, edited and withdrawn", async () => {
  let managers: Manager[] = [];
  const at = `/manager/${MANAGER.uuid}`;
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ managers }),
    "POST /manager/add_manager": () => {
      managers = [{ ...MANAGER, ...managers[0], state: "invited", invitation: INVITED.invitation }];
      return managers[0];
    },
    [`POST ${at}/edit`]: ({ body }) => {
      managers = managers.map((manager) => ({ ...manager, ...(body as object) }));
      return managers[0];
    },
    [`POST ${at}/delete`]: () => {
      managers = [];
      return { ok: 1 };
    },
  });
  await openTeam();
  const block = await region("Managers");
  expect(block.getByText("No managers found")).toBeTruthy();
  await userEvent.click(block.getByRole("button", { name: "Add manager" }));
  const form = await dialog("Add manager");
  await userEvent.type(form.getByLabelText("Email"), "nobody");
  await userEvent.type(form.getByLabelText("Name"), "G");
  await userEvent.click(form.getByRole("button", { name: "Add manager" }));
  expect(form.getByText("Enter a valid email address")).toBeTruthy();
  expect(form.getByText("Please enter at least 2 characters")).toBeTruthy();
  // The manager chooses a password that the inviter does not know.
  expect(form.queryByLabelText("Password")).toBeNull();
  expect(form.getByText("Please check highlighted fields before submitting")).toBeTruthy();
  await userEvent.clear(form.getByLabelText("Email"));
  await userEvent.type(form.getByLabelText("Email"), "manager@example.com");
  await userEvent.type(form.getByLabelText("Name"), "race");
  await userEvent.click(form.getByRole("button", { name: "Add manager" }));
  expect(await block.findByText("Invited")).toBeTruthy();
  expect(sent("POST /manager/add_manager").at(-1)?.body).toEqual({
    email: "manager@example.com",
    name: "Grace",
    is_super_manager: false,
    app_ids: null,
  });

  await userEvent.click(block.getByRole("button", { name: "Edit manager@example.com" }));
  const edit = await dialog("Edit manager");
  await userEvent.click(edit.getByLabelText("May add and remove managers"));
  await userEvent.click(edit.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(sent(`POST ${at}/edit`).at(-1)?.body).toEqual({ name: "Grace", is_super_manager: true, app_ids: null }),
  );

  await userEvent.click(await block.findByRole("button", { name: "Resend the invitation of manager@example.com" }));
  await waitFor(() => expect(sent("POST /manager/add_manager")).toHaveLength(2));
  expect(sent("POST /manager/add_manager").at(-1)?.body).toMatchObject({ name: "Grace", is_super_manager: true });

  await userEvent.click(block.getByRole("button", { name: "Withdraw the invitation of manager@example.com" }));
  const question = await dialog("Withdraw invitation");
  await userEvent.click(question.getByRole("button", { name: "Withdraw invitation" }));
  expect(await block.findByText("No managers found")).toBeTruthy();
});

test("a failed deletion of a manager shows the reason in the dialog", async () => {
  answerCalls({
    "GET /profile.json": () => someProfile({ managers: [MANAGER] }),
    [`POST /manager/${MANAGER.uuid}/delete`]: () => refused(403, "You do not have the right to manage managers"),
  });
  await openTeam();
  const block = await region("Managers");
  await userEvent.click(block.getByRole("button", { name: "Delete manager@example.com" }));
  const question = await dialog("Delete manager");
  await userEvent.click(question.getByRole("button", { name: "Delete manager" }));
  expect(await question.findByText("You do not have the right to manage managers")).toBeTruthy();
  expect(block.getByText("Active")).toBeTruthy();
});
