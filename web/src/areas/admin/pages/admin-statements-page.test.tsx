import type { AdminRevenue, AdminStatements, StatementCheck } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { cellsOf } from "../../../testing/cells-of.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { SOME_STATEMENT, STATED_APP } from "../testing/some-statement.ts";
import { AdminStatementImportPage } from "./admin-statement-import-page.tsx";
import { AdminStatementsPage } from "./admin-statements-page.tsx";

const sentAs = (body: unknown) => body as { mapping: unknown; content: string; cause: string | null };

const MAPPING = {
  date: "Day",
  place: "Bundle",
  impressions: "Shown",
  revenue: "Euros",
  place_kind: "bundle",
  date_format: "31.10.2026",
  decimal: ",",
  time_zone: "Europe/Berlin",
  currency: "EUR",
} as const;
const LIST: AdminStatements = {
  statements: [SOME_STATEMENT],
  partners: [
    { id: "aurora", name: "The Aurora", mapping: MAPPING, stated_until: "2026-10-31" },
    { id: "borealis", name: "The Borealis", mapping: null, stated_until: null },
  ],
  excesses: [],
  pager: somePager(),
};
const REVENUE: AdminRevenue = {
  month: "2026-10",
  months: ["2026-11", "2026-10"],
  by: "partner",
  partners: 2,
  reported_partners: 1,
  estimated: 100_000_000,
  to_reported: [
    { cause: "discrepancy", amount: -9_000_000 },
    { cause: "unexplained", amount: -1_000_000 },
  ],
  reported: 90_000_000,
  to_paid: [
    { cause: "our_fee", amount: -20_000_000 },
    { cause: "borne", amount: 10_000_000 },
  ],
  paid: 80_000_000,
  rows: [
    {
      id: "aurora",
      name: "The Aurora",
      estimated: 100_000_000,
      to_reported: [{ cause: "unexplained", amount: -1_000_000 }],
      reported: 90_000_000,
      to_paid: [],
      paid: 80_000_000,
    },
  ],
};

test("the list says what each statement changed; above it are the month's three numbers and a partner leads to its days", async () => {
  const sent = answerCalls({
    "GET /admin/statements.json": () => LIST,
    "GET /admin/revenue.json": () => REVENUE,
  });
  await renderPage(AdminStatementsPage, "/admin/statements");
  const list = within(await screen.findByRole("table", { name: "List of statements" }));
  expect(cellsOf(list.getAllByRole("row")[1])).toEqual([
    "Oct 1st – Oct 31st, 2026",
    expect.stringContaining("admin@example.com"),
    "31 added, 0 restated0 unchanged",
    "$90.00",
    "−$10.00",
  ]);
  const month = within(await screen.findByRole("region", { name: "October 2026, three numbers" }));
  expect(month.getByRole("img", { name: "From estimated $100.00 to reported $90.00 to paid $80.00" })).toBeTruthy();
  expect(month.getByRole("region", { name: "From estimated to reported" }).textContent).toContain("Unexplained");
  await userEvent.click(month.getByRole("button", { name: "The Aurora" }));
  await month.findByRole("button", { name: "Show all partners" });
  expect(String(sent("GET /admin/revenue.json").at(-1)?.query)).toBe("by=day&partner=aurora");
});

const CHECK: StatementCheck = {
  lines: 2,
  errors: [],
  errors_count: 0,
  first_day: "2026-10-01",
  last_day: "2026-10-02",
  reported: 9_000_000,
  estimated: 10_000_000,
  added: 1,
  restated: 1,
  unchanged: 0,
  days: [
    {
      day: "2026-10-01",
      app: STATED_APP,
      impressions: 900,
      reported: 9_000_000,
      before: 9_500_000,
      estimated: 10_000_000,
    },
  ],
};
const CONTENT = "Day;Bundle;Shown;Euros\n01.10.2026;tide;900;9,00\n";
const csv = (content = CONTENT, name = "october.csv") => new File([content], name, { type: "text/csv" });

async function chooseFile(file = csv(), partner = "The Aurora") {
  await userEvent.selectOptions(await screen.findByLabelText("Partner"), partner);
  await userEvent.upload(screen.getByLabelText(/Choose the statement/), file);
}

test("a file is read as the partner's last one, checked line by line, and booked with the cause of what it restates", async () => {
  let check: StatementCheck = {
    ...CHECK,
    errors: [{ line: 2, field: "Euros", message: "“=A1” is a formula, not an amount" }],
    errors_count: 1,
    lines: 1,
    days: [],
  };
  const sent = answerCalls({
    "GET /admin/statements.json": () => LIST,
    "POST /admin/statements/preview": ({ body }) => ({
      columns: ["Day", "Bundle", "Shown", "Euros"],
      check: sentAs(body).mapping === null ? null : check,
    }),
    "POST /admin/statements": ({ body }) =>
      sentAs(body).cause === null
        ? refused(422, { cause: "Say why it differs from the earlier statement" })
        : { uuid: SOME_STATEMENT.uuid, is_new: true, changed: 2 },
  });
  const { router } = await renderPage(AdminStatementImportPage, "/admin/statements/import");
  await chooseFile();
  expect((await screen.findByLabelText<HTMLSelectElement>("Column of revenue")).value).toBe("Euros");
  expect(screen.getByLabelText<HTMLInputElement>(/^Time zone/).value).toBe("Europe/Berlin");
  await userEvent.type(screen.getByLabelText(/^Rate of the settlement/), "1.0842");
  await userEvent.click(screen.getByRole("button", { name: "Check the file" }));
  const faults = within(await screen.findByRole("region", { name: "Nothing can be booked yet" }));
  expect(faults.getByText("1 fault in 1 readable line")).toBeTruthy();
  expect(faults.getByText("“=A1” is a formula, not an amount")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Book the statement" })).toBeNull();

  check = CHECK;
  await userEvent.click(screen.getByRole("button", { name: "Check the file" }));
  const changes = within(await screen.findByRole("region", { name: "What it would change" }));
  expect(changes.getByText("1 added, 1 restated, 0 unchanged")).toBeTruthy();
  await userEvent.click(changes.getByRole("button", { name: "Book the statement" }));
  expect(await changes.findByText("Say why it differs from the earlier statement")).toBeTruthy();
  await userEvent.selectOptions(changes.getByLabelText("Why it differs from the earlier statement"), "Invalid traffic");
  await userEvent.click(changes.getByRole("button", { name: "Book the statement" }));
  expect(await screen.findByText("The statement is booked: 2 days of apps have changed")).toBeTruthy();
  expect(sent("POST /admin/statements").at(-1)?.body).toEqual({
    partner: "aurora",
    mapping: MAPPING,
    rate: "1.0842",
    shown_rate: null,
    cause: "invalid_traffic",
    file_name: "october.csv",
    content: CONTENT,
  });
  expect(router.state.location.pathname).toBe(`/admin/statements/${SOME_STATEMENT.uuid}`);
});

test("a statement that says more than the earlier one is asked for a cause that fits more", async () => {
  const [day] = CHECK.days;
  if (!day) throw new Error("there is a day");
  answerCalls({
    "GET /admin/statements.json": () => LIST,
    "POST /admin/statements/preview": ({ body }) => ({
      columns: ["Day", "Bundle", "Shown", "Euros"],
      check: sentAs(body).mapping === null ? null : { ...CHECK, days: [{ ...day, before: 8_000_000 }] },
    }),
  });
  await renderPage(AdminStatementImportPage, "/admin/statements/import");
  await chooseFile();
  await userEvent.click(await screen.findByRole("button", { name: "Check the file" }));
  const why = await screen.findByLabelText("Why it differs from the earlier statement");
  expect(
    within(why)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual([
    "Choose the cause",
    "Less traffic is invalid after all",
    "The partner counted more",
    "Difference of time zones",
    "Exchange rate",
    "Given back by the partner",
    "The earlier import was a mistake",
  ]);
});

test("a changed mapping is checked again before it can be booked", async () => {
  answerCalls({
    "GET /admin/statements.json": () => LIST,
    "POST /admin/statements/preview": ({ body }) => ({
      columns: ["Day", "Bundle", "Shown", "Euros"],
      check: sentAs(body).mapping === null ? null : CHECK,
    }),
  });
  await renderPage(AdminStatementImportPage, "/admin/statements/import");
  await chooseFile();
  await userEvent.type(await screen.findByLabelText(/^Rate of the settlement/), "1");
  await userEvent.click(screen.getByRole("button", { name: "Check the file" }));
  await screen.findByRole("button", { name: "Book the statement" });
  await userEvent.selectOptions(screen.getByLabelText("Its amounts look like"), "1234.56");
  expect(screen.queryByRole("button", { name: "Book the statement" })).toBeNull();
});

test("a refusal stands where it belongs: at the file, or at the mapping's field; a large file is not sent", async () => {
  const sent = answerCalls({
    "GET /admin/statements.json": () => LIST,
    "POST /admin/statements/preview": ({ body }) =>
      sentAs(body).content === "broken"
        ? refused(422, { content: "Line 1, line: A quotation mark is not closed" })
        : sentAs(body).mapping === null
          ? { columns: ["Date", "App", "Impressions", "Revenue"], check: null }
          : refused(422, { "mapping.currency": "There is no currency QQQ" }),
  });
  await renderPage(AdminStatementImportPage, "/admin/statements/import");
  await chooseFile(csv("broken"), "The Borealis");
  expect(await screen.findByText("october.csv: Line 1, line: A quotation mark is not closed")).toBeTruthy();
  const asked = sent("POST /admin/statements/preview").length;
  await userEvent.upload(
    screen.getByLabelText(/Choose the statement/),
    csv("x".repeat(4 * 1024 * 1024 + 1), "large.csv"),
  );
  expect(await screen.findByText(/large.csv is larger than 4 MiB/)).toBeTruthy();
  expect(sent("POST /admin/statements/preview")).toHaveLength(asked);
  await userEvent.upload(screen.getByLabelText(/Choose the statement/), csv());
  // Columns are found by their usual names.
  expect((await screen.findByLabelText<HTMLSelectElement>("Column of the app")).value).toBe("App");
  const currency = screen.getByLabelText(/^Currency/);
  await userEvent.clear(currency);
  await userEvent.type(currency, "QQQ");
  await userEvent.click(screen.getByRole("button", { name: "Check the file" }));
  expect(await screen.findByText("There is no currency QQQ")).toBeTruthy();
});
