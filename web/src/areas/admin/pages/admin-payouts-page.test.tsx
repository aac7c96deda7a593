import type { AdminPayouts } from "@millrace/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { AdminPayoutsPage } from "./admin-payouts-page.tsx";

const open = () => renderPage(() => <AdminPayoutsPage />, "/admin/payouts");
const ID = "0f8fad5b-d9cb-469f-a165-708677289500";
const PAYOUTS: AdminPayouts = {
  provider: "sandbox",
  minimum: 100_000_000,
  run: {
    month: "2026-11",
    on: "2026-12-15",
    month_is_over: false,
    total: 250_000_000,
    left_off: 0,
    accounts: [
      { account: "ada@example.com", amount: 250_000_000, blocks: [] },
      { account: "bob@example.com", amount: 40_000_000, blocks: ["below_minimum", "no_details"] },
    ],
  },
  payouts: [
    {
      id: ID,
      account: "ada@example.com",
      month: "2026-10",
      amount: 70_000_000,
      method: "Bank transfer ending 4417",
      state: "sending",
      created_at: "2026-11-15T06:00:00Z",
      changed_at: "2026-11-15T06:01:00Z",
      asked_at: "2026-11-15T06:05:00Z",
      askable: true,
      settleable: true,
      reason: "",
    },
    {
      id: "0f8fad5b-d9cb-469f-a165-708677289501",
      account: null,
      month: "2026-10",
      amount: 80_000_000,
      method: "PayPal a…@example.com",
      state: "rejected",
      created_at: "2026-11-15T06:00:00Z",
      changed_at: "2026-11-16T06:00:00Z",
      asked_at: null,
      askable: false,
      settleable: false,
      reason: "The account is closed",
    },
  ],
  pager: somePager(),
};
const textOf = async (table: string) => {
  const [, ...rows] = within(await screen.findByRole("table", { name: table })).getAllByRole("row");
  return rows.map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent));
};

test("the next run names whom it will pay and whom it will not, before it runs", async () => {
  answerCalls({ "GET /admin/payouts.json": () => PAYOUTS });
  await open();
  expect(await textOf("Accounts of the next run")).toEqual([
    ["ada@example.com", "from Dec 15th, 2026 on", "$250.00"],
    ["bob@example.com", "no: below $100.00, no payout details", "$40.00"],
  ]);
  const run = screen.getByRole("region", { name: "Next run" });
  expect(run.textContent).toContain("$250.00 so far for November 2026, from Dec 15th, 2026 on, by hand");
});

test("a payout that only an admin pays is said to be, and the others of its state are ordered", async () => {
  const [payout] = PAYOUTS.payouts;
  if (!payout) throw new Error("There is no payout to pay");
  const sent = { ...payout, state: "sent" } as const;
  answerCalls({
    "GET /admin/payouts.json": () => ({
      ...PAYOUTS,
      payouts: [
        { ...sent, by_hand: true },
        { ...sent, id: "0f8fad5b-d9cb-469f-a165-708677289502" },
      ],
    }),
  });
  await open();
  expect((await textOf("Payouts")).map((cells) => cells[3])).toEqual(["to be paid by hand", "ordered"]);
});

test("a question about a payout that fails is told as a failure, and one account more is one", async () => {
  answerCalls({
    "GET /admin/payouts.json": () => ({ ...PAYOUTS, run: { ...PAYOUTS.run, left_off: 1 } }),
    [`POST /admin/payouts/${ID}/ask`]: () => refused(503, "The provider is away"),
  });
  await open();
  expect(await screen.findByText("And 1 more account.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Ask ada@example.com, October 2026" }));
  expect((await screen.findByText("The provider is away")).closest("p")?.dataset["tone"]).toBe("failed");
});

test("a payout whose fate is unknown can be asked about and settled, one that is over cannot", async () => {
  const sent = answerCalls({
    "GET /admin/payouts.json": () => PAYOUTS,
    [`POST /admin/payouts/${ID}/ask`]: () => ({ state: "sending" }),
    [`POST /admin/payouts/${ID}/settle`]: () => ({ state: "rejected" }),
  });
  await open();
  const rows = await textOf("Payouts");
  expect(rows.map((cells) => cells.slice(0, 5))).toEqual([
    ["ada@example.comBank transfer ending 4417", "October 2026", "Nov 15th, 2026", "ordered, not confirmed", "$70.00"],
    [
      "a deleted accountPayPal a…@example.com",
      "October 2026",
      "Nov 15th, 2026",
      "rejected: The account is closed",
      "$80.00",
    ],
  ]);
  expect(screen.getAllByRole("button", { name: /^(Ask|Settle) / })).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Ask ada@example.com, October 2026" }));
  expect(await screen.findByText("The payout is ordered, not confirmed.")).toBeTruthy();

  await userEvent.click(screen.getByRole("button", { name: "Settle ada@example.com, October 2026" }));
  const dialog = within(await screen.findByRole("dialog", { name: "What became of it?" }));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole("radio", { name: "It was paid" })));
  expect(dialog.getByLabelText(/^Paid on/)).toBeTruthy();
  await userEvent.click(dialog.getByRole("radio", { name: "It was not paid, and will not be" }));
  expect(dialog.queryByLabelText(/^Paid on/)).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Settle payout" }));
  expect(sent(`POST /admin/payouts/${ID}/settle`)).toEqual([]);
  await userEvent.type(dialog.getByRole("textbox"), "Their list does not have it");
  await userEvent.click(dialog.getByRole("button", { name: "Settle payout" }));
  expect(await screen.findByText("The money is back on the publisher’s balance")).toBeTruthy();
  expect(sent(`POST /admin/payouts/${ID}/settle`).map(({ body }) => body)).toEqual([
    { paid: false, reason: "Their list does not have it" },
  ]);
});

test("payouts are searched, and a search without a result can be taken back", async () => {
  answerCalls({
    "GET /admin/payouts.json": ({ query }) => (query.get("search") === "4417" ? { ...PAYOUTS, payouts: [] } : PAYOUTS),
  });
  await open();
  await textOf("Payouts");
  await userEvent.type(screen.getByRole("searchbox", { name: "Search e-mail or method" }), "4417");
  expect(await screen.findByText("Nothing matches “4417”.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show all payouts" }));
  expect(await textOf("Payouts")).toHaveLength(2);
});

test("a due payout says what holds it back, and can be rejected and not settled as paid", async () => {
  const [payout] = PAYOUTS.payouts;
  if (!payout) throw new Error("There is no payout to change");
  const due = { ...payout, state: "due", askable: false };
  const sent = answerCalls({
    "GET /admin/payouts.json": () => ({
      ...PAYOUTS,
      payouts: [
        { ...due, blocks: ["blocked"] },
        { ...due, id: "0f8fad5b-d9cb-469f-a165-708677289502" },
      ],
    }),
    [`POST /admin/payouts/${ID}/settle`]: () => ({ state: "rejected" }),
  });
  await open();
  expect((await textOf("Payouts")).map((cells) => cells[3])).toEqual(["held back: blocked", "to be ordered"]);
  const [reject] = screen.getAllByRole("button", { name: "Reject ada@example.com, October 2026" });
  await userEvent.click(reject!);
  const dialog = within(await screen.findByRole("dialog", { name: "Reject this payout?" }));
  expect(dialog.queryByRole("radio")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole("textbox")));
  await userEvent.type(dialog.getByRole("textbox"), "A fraudster");
  await userEvent.click(dialog.getByRole("button", { name: "Reject payout" }));
  expect(await screen.findByText("The money is back on the publisher’s balance")).toBeTruthy();
  expect(sent(`POST /admin/payouts/${ID}/settle`).map(({ body }) => body)).toEqual([
    { paid: false, reason: "A fraudster" },
  ]);
});

test("a payout that came back to a deleted account can be settled as paid by hand", async () => {
  const [, rejected] = PAYOUTS.payouts;
  if (!rejected) throw new Error("There is no payout to change");
  const sent = answerCalls({
    "GET /admin/payouts.json": () => ({ ...PAYOUTS, payouts: [{ ...rejected, settleable: true }] }),
    [`POST /admin/payouts/${rejected.id}/settle`]: () => ({ state: "paid" }),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Settle a deleted account, October 2026" }));
  const dialog = within(await screen.findByRole("dialog", { name: "What became of it?" }));
  expect(dialog.queryByRole("radio")).toBeNull();
  fireEvent.change(dialog.getByLabelText(/^Paid on/), { target: { value: "2026-11-02" } });
  await userEvent.type(dialog.getByRole("textbox"), "To the new account");
  await userEvent.click(dialog.getByRole("button", { name: "Settle as paid" }));
  expect(await screen.findByText("The payout is settled as paid")).toBeTruthy();
  expect(sent(`POST /admin/payouts/${rejected.id}/settle`).map(({ body }) => body)).toEqual([
    { paid: true, reason: "To the new account", paid_on: "2026-11-02" },
  ]);
});

test("a payment made by hand that the bank has returned is given back, with the reason", async () => {
  const [payout] = PAYOUTS.payouts;
  if (!payout) throw new Error("There is no payout to change");
  const sent = answerCalls({
    "GET /admin/payouts.json": () => ({ ...PAYOUTS, payouts: [{ ...payout, state: "paid", askable: false }] }),
    [`POST /admin/payouts/${ID}/settle`]: () => ({ state: "rejected" }),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Came back ada@example.com, October 2026" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Did this payment come back?" }));
  expect(dialog.queryByRole("radio")).toBeNull();
  await userEvent.type(dialog.getByRole("textbox"), "The account is closed");
  await userEvent.click(dialog.getByRole("button", { name: "Give the money back" }));
  expect(await screen.findByText("The money is back on the publisher’s balance")).toBeTruthy();
  expect(sent(`POST /admin/payouts/${ID}/settle`).map(({ body }) => body)).toEqual([
    { paid: false, reason: "The account is closed" },
  ]);
});

test("a payout that is paid by hand shows where to pay once an admin asks, and nothing before or after", async () => {
  const [payout] = PAYOUTS.payouts;
  if (!payout) throw new Error("There is no payout to pay");
  const where = { method: "bank", holder: "Ada Lovelace", account: "DE89370400440532013000" };
  const sent = answerCalls({
    "GET /admin/payouts.json": () => ({ ...PAYOUTS, payouts: [{ ...payout, state: "sent" }] }),
    [`POST /admin/payouts/${ID}/where_to_pay`]: () => where,
  });
  await open();
  const show = await screen.findByRole("button", { name: "Show where to pay ada@example.com, October 2026" });
  expect(sent(`POST /admin/payouts/${ID}/where_to_pay`)).toEqual([]);
  await userEvent.click(show);
  const dialog = await screen.findByRole("dialog", { name: "Where to pay" });
  const facts = [...dialog.querySelectorAll("dt")].map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ]);
  expect(facts).toEqual([
    ["Amount", "$70.00"],
    ["Method", "Bank transfer"],
    ["Account holder", "Ada Lovelace"],
    ["IBAN", "DE89370400440532013000, copy IBAN"],
  ]);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.body.textContent).not.toContain(where.account));
});

test("why it cannot be shown where to pay is told", async () => {
  const [payout] = PAYOUTS.payouts;
  if (!payout) throw new Error("There is no payout to pay");
  answerCalls({
    "GET /admin/payouts.json": () => ({ ...PAYOUTS, payouts: [{ ...payout, state: "sent" }] }),
    [`POST /admin/payouts/${ID}/where_to_pay`]: () => refused(409, "This payout is not one to pay by hand"),
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Show where to pay / }));
  expect(await screen.findByText("This payout is not one to pay by hand")).toBeTruthy();
});

test("an order in flight can be asked about and not settled, and one of a former provider settled and not asked about", async () => {
  const [sending] = PAYOUTS.payouts;
  if (!sending) throw new Error("There is no payout to change");
  answerCalls({
    "GET /admin/payouts.json": () => ({
      ...PAYOUTS,
      payouts: [
        { ...sending, account: "flying@example.com", settleable: false },
        { ...sending, id: "0f8fad5b-d9cb-469f-a165-708677289501", account: "former@example.com", askable: false },
      ],
    }),
  });
  await open();
  const buttons = await screen.findAllByRole("button", { name: /^(Ask|Settle) / });
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Ask flying@example.com, October 2026",
    "Settle former@example.com, October 2026",
  ]);
});

test("without payouts and balances the page says so; one that fails to load can be retried", async () => {
  let away = true;
  answerCalls({
    "GET /admin/payouts.json": () =>
      away ? refused(503, "The store is away") : { ...PAYOUTS, run: { ...PAYOUTS.run, accounts: [] }, payouts: [] },
  });
  await open();
  await screen.findAllByRole("alert");
  away = false;
  await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0]!);
  expect(await screen.findByText("Nobody is to be paid")).toBeTruthy();
  expect(await screen.findByText("No payouts found")).toBeTruthy();
});

test("what is held back of the due month is said beside the next run", async () => {
  const held = { month: "2026-10", on: "2026-11-15", accounts: 2, total: 300_000_000 };
  answerCalls({ "GET /admin/payouts.json": () => ({ ...PAYOUTS, run: { ...PAYOUTS.run, held } }) });
  await open();
  const text = (await screen.findByText(/^2 accounts are held back from the run/)).textContent;
  expect(text).toContain("October 2026, due since Nov 15th, 2026: $300.00 is paid within hours");
});
