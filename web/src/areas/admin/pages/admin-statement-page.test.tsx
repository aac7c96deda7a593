import type { AdminRevenue, AdminStatement, AdminStatements } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { cellsOf } from "../../../testing/cells-of.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { SOME_STATEMENT, STATED_APP } from "../testing/some-statement.ts";
import { AdminStatementPage } from "./admin-statement-page.tsx";
import { AdminStatementsPage } from "./admin-statements-page.tsx";

const ID = SOME_STATEMENT.uuid;
const DEDUCTION = "00000000-0000-4000-8000-0000000000d1";
const detailOf = (days: readonly Partial<AdminStatement["days"][number]>[]): AdminStatement => ({
  statement: {
    ...SOME_STATEMENT,
    currency: "EUR",
    time_zone: "Europe/Berlin",
    rate: "1.0842",
    shown_rate: "1.09",
  },
  days: days.map((some) => ({
    day: "2026-10-01",
    app: STATED_APP,
    impressions: 900,
    reported: 9_000_000,
    before: 9_500_000,
    estimated: 10_000_000,
    shortfall: 800_000,
    time_zone: 0,
    passed_on: 0,
    deductions: [],
    ...some,
  })),
  pager: somePager(),
});

const NO_REVENUE: AdminRevenue = {
  month: "2026-10",
  months: [],
  by: "partner",
  partners: 0,
  reported_partners: 0,
  estimated: 0,
  to_reported: [],
  reported: 0,
  to_paid: [],
  paid: 0,
  rows: [],
};

test("a statement's page says what it changed, and passes a shortfall on with an explanation", async () => {
  const detail = detailOf([
    {},
    { day: "2026-10-02", shortfall: 500_000, passed_on: 500_000, deductions: [DEDUCTION] },
    { day: "2026-10-03", shortfall: 9_999 },
  ]);
  const sent = answerCalls({
    [`GET /admin/statements/${ID}.json`]: () => detail,
    [`POST /admin/statements/${ID}/pass_on`]: () => ({ deduction: ID, amount: 800_000 }),
  });
  await renderPage(AdminStatementPage, "/admin/statements/$uuid", `/admin/statements/${ID}`);
  expect(await screen.findByText("EUR at 1.0842, 1.09 when shown")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: /^Pass on/ })).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: /^Pass on Tide/ }));
  const form = within(await screen.findByRole("dialog", { name: "Pass on a shortfall" }));
  expect(form.getByText(/\$0.80 of what Tide earned on Oct 1st, 2026 is deducted/)).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(sent(`POST /admin/statements/${ID}/pass_on`)).toHaveLength(0);
  await userEvent.type(form.getByLabelText(/^Explanation/), "Aurora found crawlers");
  await userEvent.click(form.getByRole("button", { name: "Deduct" }));
  expect(await screen.findByText(/\$0.80 deducted. The publisher is told by mail/)).toBeTruthy();
  expect(sent(`POST /admin/statements/${ID}/pass_on`)[0]?.body).toEqual({
    day: "2026-10-01",
    app: STATED_APP.uuid,
    explanation: "Aurora found crawlers",
  });
});

test("a day that lacks nothing but what the time zone moved says so, and offers nothing to pass on", async () => {
  const moved = { shortfall: 0, time_zone: -70_000 };
  answerCalls({ [`GET /admin/statements/${ID}.json`]: () => detailOf([moved]) });
  await renderPage(AdminStatementPage, "/admin/statements/$uuid", `/admin/statements/${ID}`);
  const table = await screen.findByRole("table", { name: "Days of apps" });
  expect(cellsOf(within(table).getAllByRole("row")[1])).toContain("$0.00−$0.07 by time zone");
  expect(screen.getByText(/it is no shortfall and cannot be passed on/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Pass on/ })).toBeNull();
});

test("a day that was passed on and is owed after all leads to its deduction, from the list and from its statement", async () => {
  const excess = { day: "2026-10-02", shortfall: 0, passed_on: 500_000, deductions: [DEDUCTION] };
  answerCalls({
    "GET /admin/statements.json": (): AdminStatements => ({
      statements: [],
      partners: [],
      excesses: [{ ...excess, app: STATED_APP, partner_name: "The Aurora" }],
      pager: somePager(),
    }),
    "GET /admin/revenue.json": (): AdminRevenue => NO_REVENUE,
    [`GET /admin/statements/${ID}.json`]: () => detailOf([excess, { passed_on: 800_000, deductions: [DEDUCTION] }]),
  });
  const { unmount } = await renderPage(AdminStatementsPage, "/admin/statements");
  const table = await screen.findByRole("table", { name: "Days with more passed on than is missing" });
  expect(cellsOf(within(table).getAllByRole("row")[1])).toEqual([
    "TideAndroid",
    "The Aurora",
    "$0.00",
    "$0.50",
    "Reverse",
  ]);
  const link = { name: "Reverse the deduction from Tide, Oct 2nd, 2026" };
  const address = `/admin/deductions?search=${DEDUCTION}`;
  expect(within(table).getByRole("link", link).getAttribute("href")).toBe(address);
  unmount();
  await renderPage(AdminStatementPage, "/admin/statements/$uuid", `/admin/statements/${ID}`);
  expect((await screen.findAllByRole("link", { name: /^Reverse/ })).map((one) => one.getAttribute("href"))).toEqual([
    address,
  ]);
});
