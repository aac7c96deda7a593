import type { AppIdentity, AuditEntry } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { SESSION_KEY } from "../../../shared/session.ts";
import { someSession } from "../../../testing/some-session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { refused, answerCalls } from "../../../testing/answer-calls.ts";
import { someUser } from "../testing/some-user.ts";
import { AdminAuditPage } from "./admin-audit-page.tsx";
import { SOME_APP, somePager } from "../../../testing/some-apps.ts";
import { AdminModerationPage } from "./admin-moderation-page.tsx";
import { AdminUsersPage } from "./admin-users-page.tsx";

const open = (page: () => ReactNode, path: string, address = path) => renderPage(() => page(), path, address);
const users = (address?: string) => open(() => <AdminUsersPage />, "/admin/users", address);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

const USER = someUser({
  last_seen_at: "2026-11-19T14:05:59Z",
  can_apps: true,
  can_campaign: true,
  apps: 3,
  balance: 5_000_000,
  campaign_balance: 10_000_000,
});
const APP: AppIdentity = {
  ...SOME_APP,
  uuid: "00000000-0000-4000-8000-000000000002",
  sdk_status: "check",
  sdk_status_class: "warning",
  sdk_info: { version: null, changelog_url: null, update_url: null },
};
const OWNER = { uuid: USER.uuid, name: USER.name, email: USER.email };

test("users are listed with the facts that an admin needs", async () => {
  answerCalls({ "GET /admin/users.json": () => ({ users: [USER], pager: somePager() }) });
  await users();
  const row = (await screen.findByText("Ada Lovelace")).closest("tr");
  expect([...(row?.cells ?? [])].slice(0, 7).map(({ textContent }) => textContent)).toEqual([
    "Ada Lovelaceada@example.com",
    "apps, campaigns",
    "Nov 1st, 2026",
    "Nov 19th, 2026",
    "3",
    "$5.00",
    "$10.00",
  ]);
});

test("a search starts at the first page and is kept in the address", async () => {
  const sent = answerCalls({
    "GET /admin/users.json": ({ query }) =>
      query.get("search") === "ada"
        ? { users: [USER], pager: somePager() }
        : { users: [USER], pager: somePager({ current_page: Number(query.get("p")) + 1, last_page: 9 }) },
  });
  const { router } = await users("/admin/users?p=3");
  await screen.findByText("151 to 151");
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  await waitFor(() => expect(router.state.location.searchStr).toBe("?p=4"));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search e-mail, name or ID" }), "ada{Enter}");
  await waitFor(() => expect(router.state.location.searchStr).toBe("?search=ada"));
  await waitFor(() => expect(sent("GET /admin/users.json").at(-1)?.query.toString()).toBe("search=ada&p=0"));
});

test("a search without results says so and offers to show all", async () => {
  const hostile = "<b onclick=alert(1)>";
  answerCalls({
    "GET /admin/users.json": ({ query }) => ({ users: query.get("search") === "" ? [USER] : [], pager: somePager() }),
  });
  await users(`/admin/users?search=${encodeURIComponent(hostile)}`);
  expect(await screen.findByText(`Nothing matches “${hostile}”.`)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show all users" }));
  expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
});

test("a list that fails to load can be retried", async () => {
  let away = true;
  answerCalls({
    "GET /admin/users.json": () => (away ? refused(503, "The store is away") : { users: [USER], pager: somePager() }),
  });
  await users();
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Ada Lovelace")).toBeTruthy();
});

test("a refill is exact, requires a reason, and keeps its key after a lost reply", async () => {
  let replies = 0;
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [USER], pager: somePager() }),
    [`POST /admin/users/${USER.uuid}/refill`]: () => {
      replies += 1;
      if (replies === 1) throw new TypeError("connection lost");
      return { campaign_balance: 22_340_001 };
    },
  });
  await users();
  await userEvent.click(await screen.findByRole("button", { name: "Refill ada@example.com" }));
  const form = await dialog("Refill balance");
  await userEvent.click(form.getByRole("button", { name: "Refill balance" }));
  expect(form.getAllByText("This field is required")).toHaveLength(2);
  for (const [typed, word] of [
    ["0.001", "Add at least $0.01"],
    ["1000000.01", "Add at most $1,000,000 at once"],
    ["1.0000001", "Add an amount in $, with at most 6 decimals"],
    ["-5", "Add an amount in $, with at most 6 decimals"],
  ] as const) {
    await userEvent.clear(form.getByLabelText("Amount in $"));
    await userEvent.type(form.getByLabelText("Amount in $"), typed);
    await userEvent.click(form.getByRole("button", { name: "Refill balance" }));
    expect(form.getByText(word)).toBeTruthy();
  }
  await userEvent.clear(form.getByLabelText("Amount in $"));
  await userEvent.type(form.getByLabelText("Amount in $"), "12.340001");
  expect(form.getByText("ada@example.com has $10.00, and will have $22.340001.")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Reason, which the advertiser sees"), "Invoice 7");
  await userEvent.click(form.getByRole("button", { name: "Refill balance" }));
  expect(await form.findByText("There was an error with your request, please try again")).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>("Amount in $").value).toBe("12.340001");
  await userEvent.click(form.getByRole("button", { name: "Refill balance" }));
  expect(await screen.findByText("The balance of ada@example.com is now $22.340001")).toBeTruthy();
  const bodies = sent(`POST /admin/users/${USER.uuid}/refill`).map(
    ({ body }) => body as { amount: number; reason: string; key: string },
  );
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toMatchObject({ amount: 12_340_001, reason: "Invoice 7" });
  expect(bodies[0]?.key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(bodies[1]).toEqual(bodies[0]);

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Refill ada@example.com" }));
  const next = await dialog("Refill balance");
  await userEvent.type(next.getByLabelText("Amount in $"), "1");
  await userEvent.type(next.getByLabelText("Reason, which the advertiser sees"), "Another{Tab}");
  await userEvent.click(next.getByRole("button", { name: "Refill balance" }));
  await waitFor(() => expect(sent(`POST /admin/users/${USER.uuid}/refill`)).toHaveLength(3));
  const third = sent(`POST /admin/users/${USER.uuid}/refill`)[2]?.body as { key: string } | undefined;
  expect(third?.key).not.toBe(bodies[0]?.key);
});

test("a user is blocked with a reason and unblocked; a server error is shown in the dialog", async () => {
  let user = USER;
  let refuses = true;
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [user], pager: somePager() }),
    [`POST /admin/users/${USER.uuid}/block`]: ({ body }) => {
      if (refuses) return refused(409, "You cannot block yourself");
      const { blocked, reason } = body as { blocked: boolean; reason: string };
      user = { ...USER, blocked, blocked_reason: blocked ? reason : null };
      return { ok: 1 };
    },
  });
  await users();
  await userEvent.click(await screen.findByRole("button", { name: "Block ada@example.com" }));
  const form = await dialog("Block user");
  await userEvent.click(form.getByRole("button", { name: "Block user" }));
  expect(form.getByText("This field is required")).toBeTruthy();
  await userEvent.type(form.getByLabelText("Reason"), "Fraud");
  await userEvent.click(form.getByRole("button", { name: "Block user" }));
  expect(await form.findByText("You cannot block yourself")).toBeTruthy();
  refuses = false;
  await userEvent.click(form.getByRole("button", { name: "Block user" }));
  expect((await screen.findByText("Blocked")).title).toBe("Fraud");
  expect(sent(`POST /admin/users/${USER.uuid}/block`).at(-1)?.body).toEqual({ blocked: true, reason: "Fraud" });

  await userEvent.click(screen.getByRole("button", { name: "Unblock ada@example.com" }));
  const back = await dialog("Unblock user");
  expect(back.getByText("Blocked because: Fraud")).toBeTruthy();
  await userEvent.type(back.getByLabelText("Reason"), "A mistake");
  await userEvent.click(back.getByRole("button", { name: "Unblock user" }));
  expect(await screen.findByRole("button", { name: "Block ada@example.com" })).toBeTruthy();
});

test("an admin cannot ask to block their own user, and is told what a block holds back", async () => {
  const other = { ...USER, uuid: "00000000-0000-4000-8000-000000000008", email: "eve@example.com" };
  answerCalls({ "GET /admin/users.json": () => ({ users: [USER, other], pager: somePager() }) });
  const { queryClient } = await users();
  act(() => void queryClient.setQueryData(SESSION_KEY, someSession({ uuid: USER.uuid })));
  const own = await screen.findByRole<HTMLButtonElement>("button", { name: "Block ada@example.com" });
  expect([own.disabled, own.title]).toEqual([true, "You cannot block yourself"]);
  await userEvent.click(screen.getByRole("button", { name: "Block eve@example.com" }));
  const form = await dialog("Block user");
  expect(form.getByText(/payouts that are not ordered yet are held back/)).toBeTruthy();
});

test("admins cannot be impersonated, and a failed impersonation says why", async () => {
  const admin = { ...USER, uuid: "00000000-0000-4000-8000-000000000009", email: "root@example.com", is_admin: true };
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [USER, admin], pager: somePager() }),
    [`POST /admin/users/${USER.uuid}/switch`]: () => refused(404, "There is no such user"),
  });
  await users();
  await userEvent.click(await screen.findByRole("button", { name: "Switch into ada@example.com" }));
  expect(await screen.findByText("There is no such user")).toBeTruthy();
  expect(sent(`POST /admin/users/${USER.uuid}/switch`)).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Switch into root@example.com" })).toBeNull();
});

test("an app is approved, or banned with a reason; only a web address entered by its owner is a link", async () => {
  let waiting = ["javascript:alert(1)", "https://store.example.com/tide"].map((url, nth) => ({
    ...APP,
    uuid: `00000000-0000-4000-8000-00000000001${nth}`,
    name: `App ${nth}`,
    url,
    owner: OWNER,
    waiting_since: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  }));
  const [first, second] = waiting;
  const decide = (uuid: string | undefined) => () => {
    waiting = waiting.filter((app) => app.uuid !== uuid);
    return { ok: 1 };
  };
  const sent = answerCalls({
    "GET /admin/moderation.json": () => ({ apps: waiting, pager: somePager() }),
    [`POST /admin/moderation/apps/${first?.uuid}`]: decide(first?.uuid),
    [`POST /admin/moderation/apps/${second?.uuid}`]: decide(second?.uuid),
  });
  await open(() => <AdminModerationPage />, "/admin/moderation");
  expect(await screen.findAllByText("3 hours")).toHaveLength(2);
  expect(document.title).toBe("Moderation: new apps · Millrace");
  expect(screen.queryByRole("link", { name: /store page of App 0/ })).toBeNull();
  expect(screen.getByRole("link", { name: /^Open the store page of App 1/ }).getAttribute("href")).toBe(second?.url);

  await userEvent.click(screen.getByRole("button", { name: "Ban App 0, Android" }));
  const ban = await dialog("Ban app");
  await userEvent.click(ban.getByRole("button", { name: "Ban app" }));
  expect(ban.getByText("This field is required")).toBeTruthy();
  await userEvent.type(ban.getByLabelText("Reason"), "Copied icon");
  await userEvent.click(ban.getByRole("button", { name: "Ban app" }));
  await waitFor(() => expect(screen.queryByText("App 0")).toBeNull());
  expect(sent(`POST /admin/moderation/apps/${first?.uuid}`)[0]?.body).toEqual({
    decision: "ban",
    reason: "Copied icon",
    seen: { moderation: "check", bundle_id: APP.bundle_id },
  });

  await userEvent.click(screen.getByRole("button", { name: "Approve App 1, Android" }));
  await userEvent.click((await dialog("Approve app")).getByRole("button", { name: "Approve app" }));
  expect(await screen.findByText("No app is waiting for review.")).toBeTruthy();
  expect(sent(`POST /admin/moderation/apps/${second?.uuid}`)[0]?.body).toMatchObject({
    decision: "approve",
    reason: "",
  });
});

test("the log shows who did what, as whom and from where, with collapsed details", async () => {
  const entry: AuditEntry = {
    id: 7,
    at: "2026-11-19T14:05:59Z",
    actor: "root@example.com",
    as_user: "ada@example.com",
    account: "Ada's games",
    action: "profile_edited",
    subject: "",
    details: { field: "name" },
    address: "192.0.2.7",
  };
  answerCalls({
    "GET /admin/audit.json": () => ({
      entries: [entry, { ...entry, id: 6, actor: null, as_user: null }],
      pager: somePager(),
    }),
  });
  await open(() => <AdminAuditPage />, "/admin/audit");
  const [first, second] = await screen.findAllByText("Profile edited");
  const cells = (element: HTMLElement | undefined) =>
    [...(element?.closest("tr")?.cells ?? [])].slice(0, 6).map(({ textContent }) => textContent);
  expect(cells(first)).toEqual([
    "Profile edited",
    "Nov 19th, 2026, 14:05",
    "root@example.com",
    "ada@example.com",
    "Ada's games",
    "192.0.2.7",
  ]);
  expect(cells(second)[2]).toBe("the platform or a deleted user");
  expect(screen.getAllByText("1 detail")[0]?.closest("details")?.open).toBe(false);
});
