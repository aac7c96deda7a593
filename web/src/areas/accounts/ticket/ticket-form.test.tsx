import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { TicketPage, TicketPassPage } from "../pages/ticket-pages.tsx";

const CALL = "/ticket/abc.json";
const open = () => renderPage(TicketPage, "/ticket/$ticket", "/ticket/abc");
const openPass = () => renderPage(TicketPassPage, "/ticket/$ticket/pass", "/ticket/abc/pass");
const checked = (type: string | null, rest: object = {}) => [200, { type, has_pass: false, ...rest }] as const;
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const done = (type: string) => [200, { type, redirect_to: "/apps" }] as const;

async function choose(pass: string, again = pass) {
  await userEvent.type(await screen.findByLabelText("New password"), pass);
  await userEvent.type(screen.getByLabelText("Repeat the password"), again);
}

test.each([
  ["not_found", "This link is not active."],
  ["not_last", "A newer link is available."],
  ["expired", "This link expired. Resend a new one if you wish to change password."],
  ["activated", "This link has already been activated."],
])("a link that is %s says so and offers the next step", async (error, sentence) => {
  stubCalls({ [`GET ${CALL}`]: checked("reset_pass", { error }) });
  await open();
  expect(await screen.findByText(sentence)).toBeTruthy();
  const way = error === "activated" ? "/login" : "/password-recovery";
  expect(screen.getByRole("alert").querySelector("a")?.getAttribute("href")).toBe(way);
});

test("a link of an unknown type is no longer active", async () => {
  stubCalls({ [`GET ${CALL}`]: checked(null) });
  await open();
  expect(await screen.findByText("This link is no longer active. Try a different one to continue.")).toBeTruthy();
});

test("a failed check can be retried", async () => {
  let tries = 0;
  stubCalls({ [`GET ${CALL}`]: () => (++tries === 1 ? [503, { error: "Away" }] : checked("reset_pass")) });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByLabelText("New password")).toBeTruthy();
});

test("a new password is validated and saved, and continues to campaigns if the user has them", async () => {
  const sent = stubCalls({
    [`GET ${CALL}`]: checked("reset_pass"),
    [`POST ${CALL}`]: done("reset_pass"),
    "GET /session.json": [200, someSession({ roles: { can_apps: true, can_campaign: true } })],
  });
  await open();
  await choose("secret-1", "secret-2");
  await press("Save password");
  expect(screen.getByText("Passwords must match")).toBeTruthy();
  await userEvent.clear(screen.getByLabelText("Repeat the password"));
  await userEvent.type(screen.getByLabelText("Repeat the password"), "secret-1");
  await press("Save password");
  expect(await screen.findByText("Password saved")).toBeTruthy();
  const onward = screen.getByRole("link", { name: "Continue to dashboard" });
  await waitFor(() => expect(onward.getAttribute("href")).toBe("/campaign"));
  const { body } = sent.find(({ call }) => call.startsWith("POST")) ?? {};
  expect(body).toEqual({ pass: "secret-1", pass_confirm: "secret-1" });
});

test("a publisher continues to apps", async () => {
  stubCalls({
    [`GET ${CALL}`]: checked("reset_pass"),
    [`POST ${CALL}`]: done("reset_pass"),
    "GET /session.json": [200, someSession()],
  });
  await open();
  await choose("secret-1");
  await press("Save password");
  const onward = await screen.findByRole("link", { name: "Continue to dashboard" });
  await waitFor(() => expect(onward.getAttribute("href")).toBe("/apps"));
});

test("a user with an authenticator is asked for its code too", async () => {
  const sent = stubCalls({
    [`GET ${CALL}`]: checked("reset_pass", { error: "need_verify_otp" }),
    [`POST ${CALL}`]: (body) =>
      (body as { otp_code: string }).otp_code === "123456"
        ? done("reset_pass")
        : [422, { error: "Your code is incorrect" }],
  });
  await open();
  await choose("secret-1");
  await press("Save password");
  expect(screen.getByText("Code must contain 6 digits")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "000000{Enter}");
  expect(await screen.findByText("Your code is incorrect")).toBeTruthy();
  await userEvent.clear(screen.getByLabelText("Code from your authenticator"));
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "123456{Enter}");
  expect(await screen.findByText("Password saved")).toBeTruthy();
  expect(sent.findLast(({ call }) => call.startsWith("POST"))?.body).toEqual({
    pass: "secret-1",
    pass_confirm: "secret-1",
    otp_code: "123456",
  });
});

test("a password chosen in the profile is activated by the page, once", async () => {
  const sent = stubCalls({
    [`GET ${CALL}`]: checked("change_pass", { has_pass: true }),
    [`POST ${CALL}`]: done("change_pass"),
  });
  await openPass();
  expect(await screen.findByText("Password changed")).toBeTruthy();
  expect(sent.filter(({ call }) => call.startsWith("POST"))).toEqual([{ call: `POST ${CALL}`, body: {} }]);
});

test("with an authenticator only the code is asked for", async () => {
  const sent = stubCalls({
    [`GET ${CALL}`]: checked("change_pass", { has_pass: true, error: "need_verify_otp" }),
    [`POST ${CALL}`]: done("change_pass"),
  });
  await openPass();
  await userEvent.type(await screen.findByLabelText("Code from your authenticator"), "123456{Enter}");
  expect(await screen.findByText("Password changed")).toBeTruthy();
  expect(screen.queryByLabelText("New password")).toBeNull();
  expect(sent.find(({ call }) => call.startsWith("POST"))?.body).toEqual({ otp_code: "123456" });
});

test("a signed-in user who opens a used link again sees that the password is changed", async () => {
  stubCalls({ [`GET ${CALL}`]: checked("reset_pass", { error: "activated" }) });
  await openPass();
  expect(await screen.findByText("Password changed")).toBeTruthy();
});

test.each([
  ["sign_up", "Open my account"],
  ["manager", "Accept the invitation"],
])("a link of type %s waits for a click, and then signs in", async (type, button) => {
  const sent = stubCalls({ [`GET ${CALL}`]: checked(type, { has_pass: true }), [`POST ${CALL}`]: done(type) });
  const { router } = await open();
  await screen.findByRole("button", { name: button });
  expect(screen.queryByLabelText("New password")).toBeNull();
  expect(sent.map(({ call }) => call)).toEqual([`GET ${CALL}`]);
  await press(button);
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(sent.at(-1)).toEqual({ call: `POST ${CALL}`, body: {} });
});

test.each([
  ["sign_up", "Open my account", /Google or Facebook account chosen there is ignored/],
  ["manager", "Accept the invitation", /Choose a password of your own/],
])("a link of type %s asks for a password if no valid one was chosen", async (type, button, why) => {
  const sent = stubCalls({ [`GET ${CALL}`]: checked(type), [`POST ${CALL}`]: done(type) });
  const { router } = await open();
  await screen.findByLabelText("New password");
  expect(screen.getByText(why)).toBeTruthy();
  await press(button);
  expect(screen.getByText("This field is required")).toBeTruthy();
  await choose("secret-1", "secret-2");
  await press(button);
  expect(screen.getByText("Passwords must match")).toBeTruthy();
  await userEvent.clear(screen.getByLabelText("Repeat the password"));
  await userEvent.type(screen.getByLabelText("Repeat the password"), "secret-1{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(sent.at(-1)).toEqual({ call: `POST ${CALL}`, body: { pass: "secret-1", pass_confirm: "secret-1" } });
});

test("a link that was used in the meantime says so under the button", async () => {
  stubCalls({
    [`GET ${CALL}`]: checked("sign_up", { has_pass: true }),
    [`POST ${CALL}`]: [409, { error: "This link has already been activated." }],
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Open my account" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("This link has already been activated."));
});
