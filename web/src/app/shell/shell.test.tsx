import type { Session } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { use } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { someSession } from "../../testing/some-session.ts";
import { WeekStart } from "../../ui/fields/week-start.ts";
import { Shell, ShellFrame } from "./shell.tsx";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const UUID = "00000000-0000-4000-8000-000000000001";
const OWNER = someSession({
  uuid: UUID,
  user_balance: { balance: 12_000_000, revenue: 340_000 },
  campaign_balance: 5_000_000,
});
const NO_CHAT = { chat: null };

async function open(session: Partial<Session>, at = "/profile", answers: Parameters<typeof stubCalls>[0] = {}) {
  const sent = stubCalls({
    "GET /session.json": [200, { ...OWNER, ...session }],
    "GET /support.json": [200, NO_CHAT],
    ...answers,
  });
  const page = await renderPage(Shell, at);
  return { ...page, sent };
}
const links = () =>
  within(screen.getAllByRole("navigation", { name: "Main" })[0]!)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));

test("a publisher sees apps, balance and today's revenue", async () => {
  await open({});
  await screen.findByText("Balance");
  expect(links()).toContain("/apps");
  expect(links()).not.toContain("/campaign");
  expect(links()).not.toContain("/admin/apps");
  expect(links()).toContain("/profile");
  expect(links()).toContain("/report");
  expect(screen.getByText("Revenue today")).toBeTruthy();
  expect(screen.queryByText("Campaign Balance")).toBeNull();
});

test("each amount in the header leads to the page that explains it, for those who may see it", async () => {
  const leadsTo = async (label: string) =>
    (await screen.findByText(label)).nextElementSibling?.querySelector("a")?.pathname;
  const publisher = await open({});
  expect([await leadsTo("Balance"), await leadsTo("Revenue today")]).toEqual(["/payment", "/apps/performance"]);
  publisher.unmount();
  await open({ roles: { can_apps: false, can_campaign: true } }, "/campaign");
  expect(await leadsTo("Campaign Balance")).toBe("/payment/balance");
});

test("the balance is not called the current page on a page below that of payments", async () => {
  await open({}, "/payment/deductions");
  const balance = (await screen.findByText("Balance")).nextElementSibling?.querySelector("a");
  expect(balance?.getAttribute("aria-current")).toBeNull();
});

test("a user with both roles switches sides by the links, and the header shows the balance of that side", async () => {
  const both = { roles: { can_apps: true, can_campaign: true } };
  const first = await open(both, "/campaign");
  await screen.findByText("Campaign Balance");
  expect(links()).toEqual(expect.arrayContaining(["/apps", "/campaign"]));
  expect(screen.queryByText("Revenue today")).toBeNull();
  first.unmount();
  // A page of neither side keeps the side of the previous page.
  const other = await open(both, "/profile");
  expect(await screen.findByText("Campaign Balance")).toBeTruthy();
  other.unmount();
});

test.each(["/report", "/inhouse", "/inhouse/add", `/auctions/${UUID}`])(
  "%s is about apps: it has the balance and revenue of a publisher who is an advertiser, too",
  async (path) => {
    const both = { roles: { can_apps: true, can_campaign: true } };
    const campaigns = await open(both, "/campaign");
    await screen.findByText("Campaign Balance");
    campaigns.unmount();
    await open(both, path);
    expect(await screen.findByText("Revenue today")).toBeTruthy();
    expect(screen.queryByText("Campaign Balance")).toBeNull();
  },
);

test.each([
  ["a guest", { role: "GST" as const }],
  ["an advertiser", { roles: { can_apps: false, can_campaign: true } }],
  ["a member of chosen apps", { has_all_apps: false }],
])("%s has no link to the finance report", async (_who, some) => {
  await open(some);
  await screen.findAllByText("Logout");
  expect(links()).not.toContain("/report");
});

test("the header shows a publisher's balance in the whole cents that can be paid of it", async () => {
  await open({ user_balance: { balance: 99_995_000, revenue: 995_000 } });
  const balance = await screen.findByText("Balance");
  expect(balance.parentElement?.textContent).toBe("Balance$99.99");
  expect(balance.nextElementSibling?.getAttribute("title")).toBe("$99.995");
  const today = screen.getByText("Revenue today");
  expect(today.parentElement?.textContent).toBe("Revenue today$1.00");
  // Where it is tomorrow already, or still yesterday.
  expect(today.nextElementSibling?.getAttribute("title")).toBe("$0.995, since 00:00 UTC");
});

test("deductions are linked for those who earn with apps and see the balance", async () => {
  const first = await open({});
  await screen.findByText("Balance");
  expect(links()).toContain("/payment/deductions");
  first.unmount();
  const second = await open({ roles: { can_apps: false, can_campaign: true } });
  await waitFor(() => expect(links()).toContain("/campaign"));
  expect(links()).not.toContain("/payment/deductions");
  second.unmount();
  await open({ role: "GST", user_balance: null, campaign_balance: null });
  await waitFor(() => expect(links()).toContain("/apps"));
  expect(links()).not.toContain("/payment/deductions");
});

test("an admin sees the link to the admin area", async () => {
  await open({ role: "admin", admin_apps: true });
  await screen.findByText("Balance");
  expect(links()).toContain("/admin/apps");
});

test("the admin pages have a search for apps and people, and no balance of the admin's own apps", async () => {
  await open({ role: "admin", admin_apps: true }, "/admin");
  await screen.findByRole("combobox", { name: "Search apps and people" });
  expect(screen.queryByText("Balance")).toBeNull();
  expect(screen.queryByText("Revenue today")).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Search app" })).toBeNull();
});

test("an admin keeps that search on the performance of apps", async () => {
  await open({ role: "admin", admin_apps: true }, "/apps/performance");
  expect(await screen.findByRole("combobox", { name: "Search apps and people" })).toBeTruthy();
});

test("an impersonating admin sees whose account it is, and returns instead of logging out", async () => {
  const assign = vi.fn<(address: string) => void>();
  const { sent } = await open({ is_switched: true, need_verify_otp: true }, "/profile", {
    "POST /return_to_admin": [200, { redirect_to: "/admin/users" }],
  });
  vi.stubGlobal("location", { href: "http://localhost/profile", assign });
  expect((await screen.findByText(/You are in the account of/)).textContent).toContain("ada@example.com");
  expect(links()).not.toContain("/logout");
  expect(screen.queryByText("Enter your code")).toBeNull();
  await userEvent.click(screen.getAllByRole("button", { name: "Return to admin" })[0]!);
  await waitFor(() => expect(assign).toHaveBeenCalledWith("/admin/users"));
  expect(sent.some(({ call }) => call === "POST /return_to_admin")).toBe(true);
});

test("a pending code blocks every page until it is entered", async () => {
  let owed = true;
  await open({}, "/profile", {
    "GET /session.json": () => [200, { ...OWNER, need_verify_otp: owed }],
    "POST /api/otp_verify_code?code=123456": () => {
      owed = false;
      return [200, { success: true }];
    },
    "POST /api/otp_verify_code?code=000000": [422, { error: "Your code is incorrect" }],
  });
  const code = await screen.findByLabelText("Code from your authenticator");
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  expect(screen.getByRole("link", { name: "Log out" }).getAttribute("href")).toBe("/logout");
  await userEvent.type(code, "12{Enter}");
  expect(screen.getByText("Verification code contains 6 digits")).toBeTruthy();
  await userEvent.clear(code);
  await userEvent.type(code, "000000{Enter}");
  expect(await screen.findByText("Your code is incorrect")).toBeTruthy();
  await userEvent.clear(code);
  await userEvent.type(code, "123456{Enter}");
  await screen.findByText("Balance");
  expect(screen.queryByLabelText("Code from your authenticator")).toBeNull();
});

test("the terms prompt is shown until the terms are accepted; Later hides it for this visit", async () => {
  let asks: 0 | 1 = 1;
  const answers: Parameters<typeof stubCalls>[0] = {
    "GET /session.json": () => [200, { ...OWNER, globalConfig: { ...OWNER.globalConfig, show_agreement: asks } }],
    "POST /show_agreement?accept=now": () => {
      asks = 0;
      return [200, { ok: 1 }];
    },
  };
  const first = await open({}, "/profile", answers);
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Accept" })).toBeNull());
  expect(first.sent.some(({ call }) => call === "POST /show_agreement?accept=now")).toBe(true);
  first.unmount();

  asks = 1;
  const second = await open({}, "/profile", answers);
  await userEvent.click(await screen.findByRole("button", { name: "Later" }));
  expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
  second.unmount();
  await open({}, "/profile", answers);
  await screen.findByText("Balance");
  expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
});

test("support is offered on every page, whatever the platform's settings", async () => {
  await open({});
  expect(await screen.findByRole("button", { name: "Support" })).toBeTruthy();
});

test("the chat is started once, with the user's details and in our colour", async () => {
  const chat = {
    app_id: "abc",
    user_id: UUID,
    user_hash: "f00",
    name: "Ada",
    email: "ada@example.com",
    created_at: 1_767_225_600,
  };
  document.documentElement.style.setProperty("--accent-line", "#0a86a8");
  await open({}, "/profile", { "GET /support.json": [200, { chat }] });
  const src = "https://widget.intercom.io/widget/abc";
  await waitFor(() => expect(document.querySelectorAll(`script[src="${src}"]`)).toHaveLength(1));
  const { action_color, ...settings } = window.intercomSettings ?? {};
  expect(settings).toMatchObject(chat);
  expect(action_color).toBe("#0a86a8");
  expect(window.Intercom?.q?.[0]).toMatchObject(["boot", chat]);
  expect(screen.queryByRole("button", { name: "Support" })).toBeNull();
});

function FirstWeekday() {
  return <p>the week begins on {use(WeekStart)}</p>;
}

test.each([
  [false, 1],
  [true, 0],
])("calendars follow the user's start of the week on Sunday: %s", async (week_start_on_sunday, day) => {
  stubCalls({
    "GET /session.json": [200, { ...OWNER, week_start_on_sunday }],
    "GET /support.json": [200, NO_CHAT],
  });
  await renderPage(
    () => (
      <ShellFrame>
        <FirstWeekday />
      </ShellFrame>
    ),
    "/profile",
    "/profile",
  );
  expect(await screen.findByText(`the week begins on ${day}`)).toBeTruthy();
});
