import type { MonthRevenue, RevenueRow } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { addDays, dayOf, formatDay } from "@millrace/units";
import { expect, test } from "vitest";
import { PAID_WORDS, REPORTED_WORDS } from "../../shared/revenue/cause-words.ts";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { cellsOf } from "../../testing/cells-of.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { MonthNumbers } from "./month-numbers.tsx";

const open = (at = "/payment") => renderPage(() => <MonthNumbers />, "/payment", at);

const row = (id: string, name: string) => ({
  id,
  name,
  estimated: 620_418_000,
  to_reported: [],
  reported: 583_102_000,
  to_paid: [],
  paid: 0,
});
const OCTOBER: MonthRevenue = {
  month: "2026-10",
  months: ["2026-11", "2026-10"],
  by: "partner",
  partners: 11,
  reported_partners: 10,
  estimated: 620_418_000,
  to_reported: [
    { cause: "discrepancy", amount: -21_240_000 },
    { cause: "time_zone", amount: 1_000_000 },
    { cause: "not_reported", amount: -17_075_998 },
    { cause: "unexplained", amount: -2 },
  ],
  reported: 583_102_000,
  to_paid: [
    { cause: "borne", amount: 37_316_000 },
    { cause: "deducted_invalid_traffic", amount: -15_260_000 },
    { cause: "deducted_discrepancy", amount: -1_000_000 },
    { cause: "given_back", amount: 1_810_000 },
    { cause: "bonus", amount: 6_000_000 },
  ],
  paid: 611_968_000,
  paid_on: "2026-11-15",
  rows: [row("aurora", "The Aurora")],
};
const links = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
const steps = (name: string) =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("definition")
    .map(({ textContent }) => textContent);

test("a month's three numbers stand with every step between them, in bars and in words, and each leads on", async () => {
  answerCalls({ "GET /payment/revenue.json": () => OCTOBER });
  await open();
  expect(
    await screen.findByRole("img", { name: "From estimated $620.42 to reported $583.10 to paid $611.97" }),
  ).toBeTruthy();
  expect(screen.getByText("what is confirmed: 10 of 11 partners’ reports are in")).toBeTruthy();
  expect(steps("From estimated to reported")).toEqual(["−$21.24", "+$1.00", "−$17.08", "−$0.000002"]);
  expect(steps("From reported to paid")).toEqual(["+$37.32", "−$15.26", "−$1.00", "+$1.81", "+$6.00"]);
  // Deductions for any reason are one bar.
  expect(screen.getAllByText("Deducted")).toHaveLength(1);
  expect(screen.getByText("−$16.26")).toBeTruthy();
  expect(links("Deducted: invalid traffic")).toBe("/payment/deductions");
  expect(links("Given back")).toBe("/payment/deductions");
  expect(links("Bonuses")).toBe("/report?ds=2026-10-01&de=2026-10-31");
  expect(links("The Aurora")).toBe("/report?ds=2026-10-01&de=2026-10-31&provider=aurora");
});

test("amounts are rounded to cents as in the report that they lead to, and a part of a cent is no cent", async () => {
  answerCalls({
    "GET /payment/revenue.json": () => ({
      ...OCTOBER,
      estimated: 4_179_495_621,
      to_reported: [],
      reported: 4_179_495_621,
      to_paid: [
        { cause: "carried", amount: 3_801 },
        { cause: "cents", amount: -6_106 },
        { cause: "not_yet_paid", amount: -4_179_493_316 },
      ],
      paid: 0,
    }),
  });
  await open();
  expect(
    await screen.findByRole("img", { name: "From estimated $4,179.50 to reported $4,179.50 to paid $0.00" }),
  ).toBeTruthy();
  expect(steps("From reported to paid")).toEqual(["+$0.003801", "−$0.006106", "−$4,179.50"]);
});

test("where parts of a cent alone cross one, all digits are shown", async () => {
  answerCalls({
    "GET /payment/revenue.json": () => ({
      ...OCTOBER,
      estimated: 1_993_000,
      to_reported: [{ cause: "currency", amount: 3_801 }],
      reported: 1_996_801,
      to_paid: [],
      paid: 1_996_801,
    }),
  });
  await open();
  expect(
    await screen.findByRole("img", { name: "From estimated $1.993 to reported $1.996801 to paid $1.996801" }),
  ).toBeTruthy();
  expect(steps("From estimated to reported")).toEqual(["+$0.003801"]);
});

test("what no statement says anything of yet is compared with nothing", async () => {
  const waiting: RevenueRow = {
    ...row("borealis", "The Borealis"),
    to_reported: [{ cause: "not_reported", amount: -620_418_000 }],
    reported: 0,
  };
  answerCalls({ "GET /payment/revenue.json": () => ({ ...OCTOBER, rows: [row("aurora", "The Aurora"), waiting] }) });
  await open();
  const cells = (name: string) => cellsOf(screen.getByRole("row", { name: new RegExp(name) }));
  await screen.findByRole("row", { name: /The Aurora/ });
  expect(cells("The Aurora")).toEqual(["$620.42", "$583.10", "−$37.32 (−6.0%)", "none", "$0.00"]);
  expect(cells("The Borealis")).toEqual(["$620.42", "not yet", "–", "–", "$0.00"]);
});

test("a deleted app is named as such, and leads to no page", async () => {
  const [kept, gone] = ["2f1d9f0e-6d6e-4c5a-9a57-8f2d7f3c1b11", "2f1d9f0e-6d6e-4c5a-9a57-8f2d7f3c1b12"];
  const rows = [row(kept, "Tide"), { ...row(gone, "Ebb"), deleted: true }];
  answerCalls({ "GET /payment/revenue.json": () => ({ ...OCTOBER, by: "app", rows }) });
  await open();
  expect(await screen.findByRole("link", { name: "Tide" })).toBeTruthy();
  expect(screen.getByRole("row", { name: /^Ebb \(deleted\)/ })).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Ebb/ })).toBeNull();
});

test("an unpaid month announces the day of its payment only until that day is over", async () => {
  const today = dayOf(Date.now());
  let paidOn = today;
  answerCalls({ "GET /payment/revenue.json": () => ({ ...OCTOBER, to_paid: [], paid: 0, paid_on: paidOn }) });
  const first = await open();
  expect(
    await screen.findByText(`nothing has reached your bank; payments are made on ${formatDay(today)}`),
  ).toBeTruthy();
  first.unmount();
  paidOn = addDays(today, -1);
  await open();
  expect(await screen.findByText("nothing has reached your bank yet")).toBeTruthy();
});

test("a month that was held back names the later payment that it is part of", async () => {
  const held = { to_paid: [{ cause: "paid_later", amount: -583_102_000 }], paid: 0, paid_on: "2026-12-16" };
  answerCalls({ "GET /payment/revenue.json": () => ({ ...OCTOBER, ...held, paid_with: "2026-11" }) });
  await open();
  expect(await screen.findByText("Paid with November 2026")).toBeTruthy();
  expect(screen.getByText("part of the payment for November 2026, ordered Dec 16th, 2026")).toBeTruthy();
});

test("the month and what its rows are stand in the address", async () => {
  const sent = answerCalls({
    "GET /payment/revenue.json": ({ query }) =>
      query.get("by") === "day" ? { ...OCTOBER, by: "day", rows: [row("2026-10-07", "2026-10-07")] } : OCTOBER,
  });
  const { router } = await open("/payment?month=2026-10");
  await userEvent.click(await screen.findByRole("button", { name: "Days" }));
  expect(await screen.findByRole("link", { name: "Oct 7th, 2026" })).toBeTruthy();
  expect(links("Oct 7th, 2026")).toBe("/report?ds=2026-10-07&de=2026-10-07");
  await userEvent.selectOptions(screen.getByLabelText("Month"), "November 2026");
  expect(String(sent("GET /payment/revenue.json").at(-1)?.query)).toBe("month=2026-11&by=day");
  expect(router.state.location.searchStr).toBe("?month=2026-11&by=day");
});

test("nothing earned says what will be here, and a failure can be tried again", async () => {
  let away = true;
  answerCalls({
    "GET /payment/revenue.json": () =>
      away ? refused(503, "The store is away") : { ...OCTOBER, months: [], rows: [], to_reported: [], to_paid: [] },
  });
  await open();
  const retry = await screen.findByRole("button", { name: "Try again" }, { timeout: 10_000 });
  away = false;
  await userEvent.click(retry);
  expect(await screen.findByText("Nothing is booked yet")).toBeTruthy();
});

test("every cause has a name, a short one and an explanation", () => {
  for (const { short, label, about } of [...Object.values(REPORTED_WORDS), ...Object.values(PAID_WORDS)]) {
    expect(short.length).toBeLessThan(16);
    expect(label).not.toBe("");
    expect(about).not.toBe("");
  }
});
