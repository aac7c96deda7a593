import type { Books } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { cellsOf } from "../../../testing/cells-of.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { someUser } from "../testing/some-user.ts";
import { AdminBooksPage } from "./admin-books-page.tsx";
import { AdminUsersPage } from "./admin-users-page.tsx";

const open = () => renderPage(() => <AdminBooksPage />, "/admin/books");
const BOOKS: Books = {
  booked_until: "2026-11-22",
  checked_at: "2026-11-23T00:10:00Z",
  days: [
    {
      day: "2026-11-22",
      counted: { gross: 1_000_010, revenue: 800_008 },
      booked: { gross: 1_000_000, revenue: 800_000 },
    },
    {
      day: "2026-11-21",
      counted: { gross: 2_000_000, revenue: 1_600_000 },
      booked: { gross: 2_000_000, revenue: 1_600_000 },
    },
  ],
  drifts: [],
};

test("each day is shown as booked and as counted, with every micro-dollar between them", async () => {
  answerCalls({ "GET /admin/books.json": () => BOOKS });
  await open();
  const days = within(await screen.findByRole("region", { name: /Days/ }));
  expect(await days.findByText("Booked up to Nov 22nd, 2026")).toBeTruthy();
  const rows = (await days.findAllByRole("row")).slice(1).map(cellsOf);
  expect(rows.map((row) => row.slice(-5))).toEqual([
    ["$1.00", "$0.80", "$0.20", "$1.00", "$0.000018"],
    ["$2.00", "$1.60", "$0.40", "$2.00", "none"],
  ]);
  expect(screen.getByText("The books agree with the events")).toBeTruthy();
});

test("before the first day is booked, nothing is said to agree", async () => {
  answerCalls({ "GET /admin/books.json": () => ({ ...BOOKS, days: [] }) });
  await open();
  const differences = within(await screen.findByRole("region", { name: /Differences/ }));
  expect(await differences.findByText("Nothing is booked yet")).toBeTruthy();
  expect(screen.queryByText(/agree/)).toBeNull();
});

const ID = "0f8fad5b-d9cb-469f-a165-708677289500";
const drift = {
  id: ID,
  day: "2026-11-22",
  account: "ada@example.com",
  what: "costs",
  counted: 10,
  booked: 4,
  accepted: null,
} as const;

test("a difference names its account and amounts, and what follows from it", async () => {
  const accepted = { at: "2026-11-23T10:00:00Z", by: "grace@example.com", reason: "Its events are deleted" };
  answerCalls({
    "GET /admin/books.json": () => ({
      ...BOOKS,
      drifts: [drift, { ...drift, id: ID.replace(/0$/, "1"), account: null, what: "spend", accepted }],
    }),
  });
  await open();
  const drifts = within(await screen.findByRole("region", { name: /Differences/ }));
  const rows = (await drifts.findAllByRole("row")).slice(1).map(cellsOf);
  expect(rows.map((row) => row.slice(-7, -1))).toEqual([
    ["ada@example.com", "What an advertiser's ads cost", "$0.00001", "$0.000004", "−$0.000006", "open"],
    [
      "a deleted account",
      "What an advertiser's campaigns have spent",
      "$0.00001",
      "$0.000004",
      "−$0.000006",
      "accepted: Its events are deleted",
    ],
  ]);
  expect(drifts.getByText(/^Nothing is paid out to the accounts of open differences/)).toBeTruthy();
});

test("a difference that will not go away is accepted with a reason, as it was seen", async () => {
  const sent = answerCalls({
    "GET /admin/books.json": () => ({ ...BOOKS, drifts: [drift] }),
    [`POST /admin/books/drifts/${ID}/accept`]: () => ({ ok: 1 }),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Accept ada@example.com, Nov 22nd, 2026/ }));
  const form = within(await screen.findByRole("dialog", { name: "Accept a difference" }));
  expect(form.getByText(/of ada@example.com: \$0.00001 counted, \$0.000004 booked/)).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Accept difference" }));
  expect(form.getByText("This field is required")).toBeTruthy();
  await userEvent.type(form.getByRole("textbox"), "Its events are deleted");
  await userEvent.click(form.getByRole("button", { name: "Accept difference" }));
  expect(await screen.findByText("The difference is accepted, and holds back no payment any more")).toBeTruthy();
  expect(sent(`POST /admin/books/drifts/${ID}/accept`).map(({ body }) => body)).toEqual([
    { counted: 10, booked: 4, reason: "Its events are deleted" },
  ]);
});

test("before the first count the page says when it comes; a check can be asked for, and its failure is told", async () => {
  let away = true;
  const sent = answerCalls({
    "GET /admin/books.json": () => ({ booked_until: null, checked_at: null, days: [], drifts: [] }),
    "POST /admin/books/check": () => (away ? refused(503, "The store is away") : { ok: 1 }),
  });
  await open();
  expect(await screen.findByText("Nothing has been counted yet")).toBeTruthy();
  expect(screen.getByText("A day is booked and counted once it is over (UTC).")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  const tone = (told: HTMLElement) => told.closest("p")?.dataset["tone"];
  expect(tone(await screen.findByText("The store is away"))).toBe("failed");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(tone(await screen.findByText(/The books are being checked/))).toBe("done");
  expect(sent("POST /admin/books/check")).toHaveLength(2);
});

test("a balance is adjusted up or down with a reason, and the new balance is said before it is sent", async () => {
  const user = someUser({ can_apps: true, apps: 3, balance: 5_000_000 });
  const sent = answerCalls({
    "GET /admin/users.json": () => ({ users: [user], pager: somePager() }),
    [`POST /admin/users/${user.uuid}/adjustment`]: () => ({ balance: 3_750_000 }),
  });
  await renderPage(() => <AdminUsersPage />, "/admin/users");
  await userEvent.click(await screen.findByRole("button", { name: "Adjust ada@example.com" }));
  const form = within(await screen.findByRole("dialog", { name: "Adjust balance" }));
  await userEvent.click(form.getByRole("radio", { name: "Correction, take" }));
  await userEvent.type(form.getByLabelText("Amount in $"), "0");
  await userEvent.type(form.getByLabelText(/^Reason/), "Paid twice");
  await userEvent.click(form.getByRole("button", { name: "Adjust balance" }));
  expect(form.getByText("Add an amount other than 0")).toBeTruthy();
  await userEvent.clear(form.getByLabelText("Amount in $"));
  await userEvent.type(form.getByLabelText("Amount in $"), "1.25");
  expect(form.getByText("ada@example.com has $5.00, and will have $3.75.")).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Adjust balance" }));
  expect(await screen.findByText("The balance of ada@example.com is now $3.75")).toBeTruthy();
  expect(sent(`POST /admin/users/${user.uuid}/adjustment`)[0]?.body).toMatchObject({
    kind: "correction",
    amount: -1_250_000,
    reason: "Paid twice",
  });
});
