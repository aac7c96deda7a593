import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { SignUpPage } from "../pages/auth-pages.tsx";

beforeEach(() => localStorage.clear());

const open = (address = "/signup") => renderPage(SignUpPage, "/signup", address);
const press = () => userEvent.click(screen.getByRole("button", { name: "Sign up" }));
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const SENT = [200, { sent_to: "ada@example.com" }] as const;

async function fillIn() {
  await type("Email", "ada@example.com");
  await type("Name", "Ada");
  await type("Password", "secret-1");
  await type("Repeat the password", "secret-1");
}

test("an empty sign-up shows an error at every field, including the terms", async () => {
  const sent = stubCalls({});
  await open();
  await type("Repeat the password", "x");
  await press();
  expect(screen.getAllByText("This field is required")).toHaveLength(3);
  expect(screen.getByText("Passwords must match")).toBeTruthy();
  expect(screen.getByText("Please accept the terms")).toBeTruthy();
  expect(sent).toEqual([]);
});

test.each([
  ["Name", "A", "Please enter at least 2 characters"],
  ["Name", "Ada1", "Use latin letters or '-._"],
  ["Password", "short", "Field should contain at least 6 characters"],
  ["Password", "pass word", "Use digits, letters or !#$%&()+,-.=@[]^_`{}~"],
])("%s %j is refused with its message", async (label, text, sentence) => {
  stubCalls({});
  await open();
  await type(label, text);
  await press();
  expect(screen.getByText(sentence)).toBeTruthy();
});

test("the terms and the privacy notice can be read without losing the filled-in form", async () => {
  stubCalls({});
  await open();
  for (const [name, address] of [
    ["terms", "/terms"],
    ["privacy notice", "/privacy"],
  ] as const) {
    const link = screen.getByRole("link", { name });
    expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual([address, "_blank"]);
  }
});

test("the link that led here says what one wants to be, and the form has a choice", async () => {
  stubCalls({});
  await open("/signup?role=ADV");
  const choice = (name: RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });
  expect(choice(/^Advertiser/).checked).toBe(true);
  await userEvent.click(choice(/^Developer/));
  expect([choice(/^Advertiser/).checked, choice(/^Developer/).checked]).toEqual([false, true]);
});

test("an advertiser signs up, is told to check their mail, and can have it sent again", async () => {
  const sent = stubCalls({ "POST /reg.json": SENT });
  await open("/signup?redirect_to=%2Fcampaign");
  await userEvent.click(screen.getByLabelText(/^Advertiser/));
  await fillIn();
  await userEvent.click(screen.getByRole("checkbox"));
  await press();
  await screen.findByText("ada@example.com");
  expect(document.activeElement).toBe(screen.getByText("Check your mail"));
  const asked = {
    email: "ada@example.com",
    name: "Ada",
    password: "secret-1",
    passConfirm: "secret-1",
    role: "ADV",
    agree: true,
    redirect_to: "/campaign",
  };
  expect(sent).toEqual([{ call: "POST /reg.json", body: asked }]);
  await userEvent.click(screen.getByRole("button", { name: "send it again" }));
  await press();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual(asked);
});

async function signUpWithMailbox(is_open: boolean) {
  const operator = { name: "Example Ltd", email: null, address: null };
  stubCalls({
    "GET /site.json": [
      200,
      { operator, social: [], demo: true, publisher_share: 80, mailbox: { path: "/demo/mail", is_open } },
    ],
    "POST /reg.json": SENT,
  });
  await open();
  await fillIn();
  await userEvent.click(screen.getByRole("checkbox"));
  await press();
}

test("a demo links to its mailbox in a browser that may open it", async () => {
  await signUpWithMailbox(true);
  const link = await screen.findByRole("link", { name: "open the mailbox" });
  expect(link.getAttribute("href")).toBe("/demo/mail");
});

test("a demo tells other browsers where the mailbox address is printed", async () => {
  await signUpWithMailbox(false);
  expect(await screen.findByText(/that the platform printed at startup/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "open the mailbox" })).toBeNull();
});

test("after a social sign-in without an e-mail, only the e-mail has to be entered", async () => {
  const sent = stubCalls({ "POST /reg.json": SENT });
  const { router } = await open("/signup?error=no_email&service=google&reqid=r1&name=Ada&surname=L&role=ADV");
  expect(screen.getByText("Please enter your e-mail: it was not shared with us.")).toBeTruthy();
  await waitFor(() => expect(router.state.location.href).toBe("/signup"));
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Ada");
  expect(screen.getByLabelText<HTMLInputElement>(/^Advertiser/).checked).toBe(true);
  expect(screen.queryByLabelText("Password")).toBeNull();
  await type("Email", "ada@example.com");
  await userEvent.click(screen.getByRole("checkbox"));
  await press();
  await screen.findByText("Check your mail");
  expect(sent[0]?.body).toEqual({ email: "ada@example.com", name: "Ada", role: "ADV", reqid: "r1", agree: true });
  // The identity provider's answer is valid once: sent again it would be refused.
  expect(screen.queryByRole("button", { name: "send it again" })).toBeNull();
});

test("a social sign-up with an unconfirmed e-mail says that it must be confirmed", async () => {
  stubCalls({});
  await open("/signup?error=no_email&service=facebook&reqid=r1&name=Fay&role=NEW&email=fay%40example.com");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("fay@example.com");
  expect(screen.queryByText(/was not shared/)).toBeNull();
  expect(screen.getByText(/Your e-mail is not confirmed yet/)).toBeTruthy();
});
