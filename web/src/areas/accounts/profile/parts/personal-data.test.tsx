import type { Profile } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { refused, answerCalls } from "../../../../testing/answer-calls.ts";
import { openProfile } from "../testing/open-profile.tsx";
import { someProfile } from "../testing/some-profile.ts";

const EXPORT = {
  uuid: "00000000-0000-4000-8000-000000000003",
  created_at: "2026-11-19T10:00:00Z",
  expires_at: "2026-11-26T10:00:00Z",
};

test("an export is requested, polled and downloaded", async () => {
  let made: Profile["export"] = null;
  answerCalls({
    "GET /profile.json": () => someProfile({ export: made }),
    "POST /profile/export_data": () => {
      made = { ...EXPORT, state: "working" };
      return { message: "A mail will tell you when it is ready" };
    },
  });
  await openProfile();
  const block = within(await screen.findByRole("region", { name: "Export personal data" }));
  expect(block.getByText("No data has been exported yet.")).toBeTruthy();
  await userEvent.click(block.getByRole("button", { name: "Export my data" }));
  expect(await block.findByText("A mail will tell you when it is ready")).toBeTruthy();
  expect(await block.findByText("Your data is being prepared …")).toBeTruthy();
  expect(block.getByRole("button", { name: "Export again" }).hasAttribute("disabled")).toBe(true);
  made = { ...EXPORT, state: "ready" };
  const link = await block.findByRole("link", { name: "Download" }, { timeout: 5000 });
  expect(link.getAttribute("href")).toBe(`/profile/exports/${EXPORT.uuid}.json`);
  expect(block.getByText("Created Nov 19th, 2026; available until Nov 26th, 2026.")).toBeTruthy();
});

test("deleting an account requires its e-mail, password and code", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ has_authenticator: true, recovery_codes_left: 10 }),
    "POST /profile/delete_account": ({ body }) =>
      (body as { otp_code?: string }).otp_code === "123456"
        ? { ok: 1, redirect_uri: "/" }
        : refused(422, { otp_code: "Your code is incorrect" }),
  });
  const { router } = await openProfile();
  await userEvent.click(await screen.findByRole("button", { name: "Delete account" }));
  const form = within(await screen.findByRole("dialog", { name: "Delete account" }));
  await userEvent.type(form.getByLabelText(/^Your email/), "other@example.com");
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  expect(form.getByText("This is not your email")).toBeTruthy();
  expect(form.getAllByText("This field is required")).toHaveLength(2);
  expect(sent("POST /profile/delete_account")).toHaveLength(0);

  await userEvent.clear(form.getByLabelText(/^Your email/));
  await userEvent.type(form.getByLabelText(/^Your email/), "Owner@Example.com");
  await userEvent.type(form.getByLabelText("Password"), "secret1");
  await userEvent.type(form.getByLabelText("Authenticator code"), "000000");
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  expect(await form.findByText("Your code is incorrect")).toBeTruthy();
  await userEvent.clear(form.getByLabelText("Authenticator code"));
  await userEvent.type(form.getByLabelText("Authenticator code"), "123456{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(await screen.findByRole("dialog", { name: "Your account is deleted" })).toBeTruthy();
});

test("an owner who is still owed money has to give it up by its amount", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ owed: { earned: 3_000_000_000, prepaid: 50_000_000 } }),
    "POST /profile/delete_account": () => ({ ok: 1, redirect_uri: "/" }),
  });
  await openProfile();
  await userEvent.click(await screen.findByRole("button", { name: "Delete account" }));
  const form = within(await screen.findByRole("dialog", { name: "Delete account" }));
  await userEvent.type(form.getByLabelText(/^Your email/), "owner@example.com");
  await userEvent.type(form.getByLabelText("Password"), "secret1");
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  expect(sent("POST /profile/delete_account")).toHaveLength(0);
  await userEvent.click(
    form.getByLabelText("I give up $3,000.00 that your apps have earned and $50.00 of prepaid balance"),
  );
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  await waitFor(() => expect(sent("POST /profile/delete_account").at(-1)?.body).toMatchObject({ give_up: true }));
});

test("an owner whose payment is on its way is told that nothing pays it again if it comes back, and has to agree", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ owed: { earned: 0, prepaid: 0, on_its_way: 300_000_000 } }),
    "POST /profile/delete_account": () => ({ ok: 1, redirect_uri: "/" }),
  });
  await openProfile();
  await userEvent.click(await screen.findByRole("button", { name: "Delete account" }));
  const form = within(await screen.findByRole("dialog", { name: "Delete account" }));
  expect(form.getByText(/^\$300\.00 is on its way to you and is still paid\./)).toBeTruthy();
  expect(form.queryByText(/^The account is still owed/)).toBeNull();
  await userEvent.type(form.getByLabelText(/^Your email/), "owner@example.com");
  await userEvent.type(form.getByLabelText("Password"), "secret1");
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  expect(sent("POST /profile/delete_account")).toHaveLength(0);
  await userEvent.click(form.getByLabelText("I give up $300.00 on its way, if it comes back"));
  await userEvent.click(form.getByRole("button", { name: "Delete my account" }));
  await waitFor(() => expect(sent("POST /profile/delete_account").at(-1)?.body).toMatchObject({ give_up: true }));
});

test("a user without the authenticator deletes the account with a recovery code", async () => {
  const sent = answerCalls({
    "GET /profile.json": () => someProfile({ has_password: false, has_authenticator: true }),
    "POST /profile/delete_account": () => ({ ok: 1, redirect_uri: "//evil.test" }),
  });
  const { router } = await openProfile();
  await userEvent.click(await screen.findByRole("button", { name: "Delete account" }));
  const form = within(await screen.findByRole("dialog", { name: "Delete account" }));
  expect(form.queryByLabelText("Password")).toBeNull();
  await userEvent.type(form.getByLabelText(/^Your email/), "owner@example.com");
  await userEvent.type(form.getByLabelText("Authenticator code"), "123456");
  await userEvent.click(form.getByRole("button", { name: "Use a recovery code instead" }));
  await userEvent.type(form.getByLabelText("Recovery code"), "aaaa-bbbb{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(sent("POST /profile/delete_account").at(-1)?.body).toEqual({
    email: "owner@example.com",
    recovery_code: "aaaa-bbbb",
  });
});
