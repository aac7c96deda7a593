import { TEXTS } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { rememberSignUp, waitingSignUp } from "../waiting-sign-up.ts";
import { LoginPage } from "../pages/auth-pages.tsx";

const open = (address = "/login") => renderPage(LoginPage, "/login", address);
const alert = () => screen.getByRole("alert").textContent;
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

async function submit(email: string, password: string) {
  if (email !== "") await userEvent.type(screen.getByLabelText("Email"), email);
  if (password !== "") await userEvent.type(screen.getByLabelText("Password"), password);
  await press("Log in");
}

test("empty fields show errors and nothing is sent", async () => {
  const sent = stubCalls({});
  await open();
  await submit("", "");
  expect(screen.getAllByText("This field is required")).toHaveLength(2);
  expect(alert()).toBe("Please check highlighted fields before submitting");
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  expect(sent).toEqual([]);
});

test("an invalid e-mail shows an error under its field", async () => {
  stubCalls({});
  await open();
  await submit("nobody", "secret1");
  expect(screen.getByText("Enter a valid email address")).toBeTruthy();
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).not.toBe("true");
});

test("the server's error is shown under the button, and the fields keep their values", async () => {
  stubCalls({ "POST /login.json": [422, { error: "Wrong e-mail or password" }] });
  await open();
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(alert()).toBe("Wrong e-mail or password"));
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("secret1");
});

test("signing in redirects to the requested page, and the side of the product is remembered", async () => {
  const sent = stubCalls({ "POST /login.json": [200, { redirect_to: "/campaign?p=1" }] });
  const { router } = await open("/login?redirect_to=%2Fcampaign%3Fp%3D1");
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(router.state.location.href).toBe("/campaign?p=1"));
  expect(sent[0]?.body).toEqual({ email: "a@b.test", password: "secret1", redirect_to: "/campaign?p=1" });
  expect(localStorage.getItem("millrace-current-role")).toBe("campaign");
});

test("signing in never redirects to another origin", async () => {
  stubCalls({ "POST /login.json": [200, { redirect_to: "//evil.test" }] });
  const { router } = await open();
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(localStorage.getItem("millrace-current-role")).toBe("apps");
});

test("a code is asked for in a separate form, with a way back to the filled-in form", async () => {
  const sent = stubCalls({
    "POST /login.json": (body) =>
      (body as { otp_code?: string }).otp_code === "123456"
        ? [200, { redirect_to: "/apps" }]
        : (body as { otp_code?: string }).otp_code === undefined
          ? [200, { require_otp_code: 1 }]
          : [422, { error: "Your code is incorrect" }],
  });
  const { router } = await open();
  await submit("a@b.test", "secret1");
  const code = await screen.findByLabelText("Code from your authenticator");
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(alert()).toBe("");
  expect(document.activeElement).toBe(code);

  await press("Go back");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("a@b.test");
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  await press("Log in");

  await userEvent.type(await screen.findByLabelText("Code from your authenticator"), "12{Enter}");
  expect(screen.getByText("Code must contain 6 digits")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "0000{Enter}");
  await waitFor(() => expect(alert()).toBe("Your code is incorrect"));
  await userEvent.clear(screen.getByLabelText("Code from your authenticator"));
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "123 456{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(sent.at(-1)?.body).toEqual({ email: "a@b.test", password: "secret1", otp_code: "123456" });
});

test("a recovery code can replace the code", async () => {
  const sent = stubCalls({
    "POST /login.json": (body) => [
      200,
      "recovery_code" in (body as object) ? { redirect_to: "/apps" } : { require_otp_code: 1 },
    ],
  });
  const { router } = await open();
  await submit("a@b.test", "secret1");
  await screen.findByLabelText("Code from your authenticator");
  await press("Use a recovery code instead");
  expect(document.activeElement).toBe(screen.getByLabelText("Recovery code"));
  await press("Log in");
  expect(screen.getByText("This field is required")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Recovery code"), "abcd-efgh{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(sent.at(-1)?.body).toEqual({ email: "a@b.test", password: "secret1", recovery_code: "abcd-efgh" });
});

test.each([
  ["bind_another_user", /already linked to another user/],
  ["bind_another_account", /^Your account is already linked\. Please use another account\.$/],
  ["email_not_verify", "Please verify you email before linking."],
  ["whatever", "There was an error with your request."],
])("the error %s of an identity provider is shown and removed from the address", async (error, sentence) => {
  stubCalls({});
  const { router } = await open(`/login?error=${error}&service=google&redirect_to=%2Fapps`);
  expect(alert()).toMatch(sentence);
  await waitFor(() => expect(router.state.location.href).toBe("/login?redirect_to=%2Fapps"));
  expect(alert()).toMatch(sentence);
});

test("a social sign-in that needs a code continues with it", async () => {
  const sent = stubCalls({
    "POST /login/google": (body) =>
      (body as { otp_code: string }).otp_code === "123456"
        ? [200, { ok: 1, redirect_to: "/apps", user_id: crypto.randomUUID() }]
        : [422, { error: "wrong_otp_code" }],
  });
  const { router } = await open("/login?error=require_otp_code&service=google&reqid=r1");
  await waitFor(() => expect(router.state.location.href).toBe("/login"));
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "000000{Enter}");
  await waitFor(() => expect(alert()).toBe("Please enter correct code"));
  await userEvent.clear(screen.getByLabelText("Code from your authenticator"));
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "123456{Enter}");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(sent.at(-1)?.body).toEqual({ reqid: "r1", otp_code: "123456" });
});

test("a social sign-in that took too long says so", async () => {
  stubCalls({ "POST /login/google": [422, { error: "reqid_expired" }] });
  await open("/login?error=require_otp_code&service=google&reqid=r1");
  await userEvent.type(screen.getByLabelText("Code from your authenticator"), "000000{Enter}");
  await waitFor(() => expect(alert()).toBe("Login session expired, please try again"));
});

test("only configured identity providers are offered, and a click leads to the provider", async () => {
  const assign = vi.fn<(address: string) => void>();
  vi.stubGlobal("location", { href: "http://localhost/login", assign });
  const operator = { name: "Example Ltd", email: null, address: null };
  const sent = stubCalls({
    "GET /site.json": [200, { operator, social: ["google"], demo: false, publisher_share: 80, mailbox: null }],
    "POST /login/google?redirect_to=%2Fapps": [200, { ok: 1, redirect_to: "https://issuer.test/auth" }],
  });
  await open("/login?redirect_to=%2Fapps");
  await userEvent.click(await screen.findByRole("button", { name: "Continue with Google" }));
  expect(screen.queryByRole("button", { name: "Continue with Facebook" })).toBeNull();
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://issuer.test/auth"));
  expect(sent[0]?.body).toEqual({});
});

test("a refused e-mail that signed up in this browser is reminded of the mail; another browser is not", async () => {
  localStorage.clear();
  stubCalls({ "POST /login.json": [422, { error: "Wrong e-mail or password" }] });
  const other = await open();
  await submit("new@b.test", "secret1");
  await waitFor(() => expect(alert()).toBe("Wrong e-mail or password"));
  expect(screen.queryByText(/You signed up as/)).toBeNull();
  other.unmount();
  rememberSignUp("new@b.test", Date.now());
  await open();
  await submit("someone@b.test", "secret1");
  await waitFor(() => expect(alert()).toBe("Wrong e-mail or password"));
  expect(screen.queryByText(/You signed up as/)).toBeNull();
  await userEvent.clear(screen.getByLabelText("Email"));
  await submit("New@b.test", "");
  expect(await screen.findByText(/You signed up as new@b.test in this browser/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "sign up again" }).getAttribute("href")).toBe("/signup");
});

test("a signed-in user is no longer reminded of the mail", async () => {
  rememberSignUp("new@b.test", Date.now());
  stubCalls({ "POST /login.json": [200, { redirect_to: "/apps" }] });
  const { router } = await open();
  await submit("new@b.test", "secret1");
  await waitFor(() => expect(router.state.location.href).toBe("/apps"));
  expect(waitingSignUp(Date.now())).toBeNull();
});

test.each([
  ["an address for mail", { email: "help@operator.test", address: null }, "write to help@operator.test from"],
  [
    "a postal address",
    { email: null, address: "1 Example Street" },
    "Write to Example Ltd, 1 Example Street, and include",
  ],
  ["no address", { email: null, address: null }, "contact its operator the way you usually do"],
])("a blocked user is told whom to contact if the operator has %s", async (_has, operator, words) => {
  stubCalls({
    "GET /site.json": [
      200,
      { operator: { name: "Example Ltd", ...operator }, social: [], demo: false, publisher_share: 80, mailbox: null },
    ],
    "POST /login.json": [403, { error: TEXTS.blocked }],
  });
  await open();
  await submit("a@b.test", "secret1");
  await waitFor(() => expect(alert()).toContain(words));
  const link = screen.queryByRole("link", { name: "help@operator.test" });
  expect(link?.getAttribute("href") ?? null).toBe(operator.email === null ? null : "mailto:help@operator.test");
});

test("a blocked user sees the same message after a social sign-in", async () => {
  stubCalls({});
  await open("/login?error=blocked&service=google");
  await waitFor(() => expect(alert()).toContain("This account is blocked. This platform has no support address"));
});
