import type { BalanceEntry } from "@millrace/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { SESSION_KEY } from "../../shared/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { somePager } from "../../testing/some-apps.ts";
import { someSession } from "../../testing/some-session.ts";
import { BalancePage } from "./balance-page.tsx";

const open = (address = "/payment/balance") => renderPage(() => <BalancePage />, "/payment/balance", address);
const NOTHING_SPENT = { balance: 0, spent_today: 0, daily_spend: 0, days_left: null };
const entry = (some: Partial<BalanceEntry>): BalanceEntry => ({
  ctime: "2026-11-20T12:00:00.000Z",
  day: null,
  type: "refill",
  amount: 10_000_000,
  balance: 10_000_000,
  comment: "",
  ...some,
});
/** The blocks below the history. */
const NOT_INVOICED = {
  "GET /payment/invoices.json": () => ({ invoices: [], pager: somePager() }),
  "GET /payment/billing.json": () => ({ details: null, blocks: ["no_details"], is_issuing: true }),
};
const HISTORY = [
  entry({ day: "2026-11-20", type: "spend", amount: -1_500_001, balance: 12_500_000, comment: "Autumn, Winter" }),
  entry({
    ctime: "2026-11-19T23:59:59.999Z",
    day: "2026-11-19",
    type: "spend",
    amount: -1_000_000,
    balance: 14_000_001,
    comment: "Autumn",
  }),
  entry({
    ctime: "2026-11-12T00:10:00.000Z",
    day: "2026-11-04",
    type: "return",
    amount: 40,
    balance: 15_000_001,
    comment: "Spend that no impression proves",
  }),
  entry({
    ctime: "2026-11-02T11:00:00.000Z",
    type: "advertiser_credit",
    amount: -20_000,
    balance: 14_980_001,
    comment: "Counted twice",
  }),
  entry({
    ctime: "2026-11-02T10:00:00.000Z",
    type: "advertiser_credit",
    amount: 1,
    balance: 15_000_001,
    comment: "Invalid traffic",
  }),
  entry({ ctime: "2026-11-01T10:00:00.000Z", amount: 15_000_000, balance: 15_000_000, comment: "Invoice 7" }),
];

test("each entry says when, what for and what was left; a day that is not over says so", async () => {
  answerCalls({
    "GET /payment/balance.json": () => ({ balance: 12_500_000, history: HISTORY, pager: somePager() }),
    "GET /balance/campaign": () => ({
      balance: 12_500_000,
      spent_today: 1_500_001,
      daily_spend: 360_000,
      days_left: 34.7,
    }),
  });
  await open();
  expect((await screen.findByText(/Spent today/)).textContent).toBe(
    "Spent today (UTC): $1.50. At $0.36 a day, the average of the last six days and today so far, the balance lasts about 34 days.",
  );
  const table = await screen.findByRole("table", { name: "Balance history" });
  const rows = within(table).getAllByRole("row").slice(1) as HTMLTableRowElement[];
  expect(rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent))).toEqual([
    ["Nov 20th, 2026, so far", "Spent by campaigns", "Autumn, Winter", "−$1.50", "$12.50"],
    ["Nov 19th, 2026", "Spent by campaigns", "Autumn", "−$1.00", "$14.00"],
    ["Nov 12th, 2026, 00:10", "Given back", "Spend that no impression proves, of Nov 4th, 2026", "+$0.00004", "$15.00"],
    ["Nov 2nd, 2026, 11:00", "Credit taken back", "Counted twice", "−$0.02", "$14.98"],
    ["Nov 2nd, 2026, 10:00", "Credit", "Invalid traffic", "+$0.000001", "$15.00"],
    ["Nov 1st, 2026, 10:00", "Refill", "Invoice 7", "+$15.00", "$15.00"],
  ]);
  expect(screen.getByText("Balance $12.50")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Contact support" }).getAttribute("href")).toBe("/support");
});

test("an advertiser's first days are told as what they are", async () => {
  answerCalls({
    "GET /payment/balance.json": () => ({ balance: 40_000_000, history: HISTORY, pager: somePager() }),
    "GET /balance/campaign": () => ({
      balance: 40_000_000,
      spent_today: 20_000_000,
      daily_spend: 40_000_000,
      days_left: 1,
      since: "2026-11-19",
    }),
  });
  await open();
  expect((await screen.findByText(/Spent today/)).textContent).toBe(
    "Spent today (UTC): $20.00. At $40.00 a day, the average since Nov 19th, 2026, the balance lasts about one day.",
  );
});

test("an empty history says what comes first; one that fails to load can be retried", async () => {
  let away = true;
  answerCalls({
    ...NOT_INVOICED,
    "GET /balance/campaign": () => NOTHING_SPENT,
    "GET /payment/balance.json": () =>
      away ? refused(503, "The store is away") : { balance: 0, history: [], pager: somePager() },
  });
  await open();
  expect((await screen.findByRole("alert")).textContent).toContain("The store is away");
  away = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No balance history found")).toBeTruthy();
  expect(screen.queryByText(/Spent today/)).toBeNull();
});

test("the page is in the address, counted from 0 as in the call", async () => {
  const sent = answerCalls({
    "GET /balance/campaign": () => NOTHING_SPENT,
    "GET /payment/balance.json": ({ query }) => ({
      balance: 1,
      history: HISTORY,
      pager: somePager({ current_page: Number(query.get("p")) + 1, last_page: 3 }),
    }),
  });
  const { router } = await open("/payment/balance?p=1");
  await userEvent.click(await screen.findByRole("button", { name: "Next" }));
  expect(router.state.location.searchStr).toBe("?p=2");
  expect(sent("GET /payment/balance.json").map(({ query }) => query.get("p"))).toEqual(["1", "2"]);
});

test("in a demo a balance is filled with a click until it is full, and elsewhere there is no such button", async () => {
  let balance = 0;
  const sent = answerCalls({
    "GET /payment/balance.json": () => ({ balance, history: [], pager: somePager() }),
    "GET /balance/campaign": () => NOTHING_SPENT,
    "POST /payment/demo_money": () => ({ balance: (balance = 1_000_000_000) }),
    ...NOT_INVOICED,
  });
  const { queryClient } = await open();
  await screen.findByText("Contact support");
  expect(screen.queryByRole("button", { name: /demo money/ })).toBeNull();
  const roles = { can_apps: false, can_campaign: true };
  act(() => {
    queryClient.setQueryData(SESSION_KEY, someSession({ roles, demo: { running: true, history_progress: 1 } }));
  });
  await userEvent.click(await screen.findByRole("button", { name: "Fill up to $1,000.00 of demo money" }));
  await waitFor(() => expect(sent("POST /payment/demo_money")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("button", { name: /demo money/ })).toBeNull());
});
