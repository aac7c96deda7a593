import type { AdminInvoices, InvoiceTotals } from "@millrace/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePager } from "../../../testing/some-apps.ts";
import { AdminInvoicesPage } from "./admin-invoices-page.tsx";

const ID = "0f8fad5b-d9cb-469f-a165-708677289500";
const NOTHING: AdminInvoices = { missing_settings: [], invoices: [], pager: somePager(), uninvoiced: [], left_off: 0 };
const SOME: AdminInvoices = {
  ...NOTHING,
  invoices: [
    {
      id: ID,
      number: "EA-2026-00001",
      series: "invoice",
      issued_at: "2026-10-09T09:00:00Z",
      supplied_on: "2026-10-05",
      due_on: "2026-10-23",
      net: 100_000_000,
      vat: 19_000_000,
      total: 119_000_000,
      treatment: "domestic",
      rate_basis_points: 1900,
      credits: null,
      credited_by: null,
      name: "Studio Ltd",
      account: "ada@example.com",
    },
  ],
  uninvoiced: [
    {
      account: "bob@example.com",
      series: "self_billed",
      day: "2026-09-30",
      amount: 120_000_000,
      block: "no_self_billing",
    },
  ],
};
const TOTALS: InvoiceTotals = {
  months: ["2026-10"],
  month: "2026-10",
  totals: [
    {
      series: "invoice",
      treatment: "domestic",
      country: "DE",
      rate_basis_points: 1900,
      documents: 1,
      net: 100_000_000,
      vat: 19_000_000,
      total: 119_000_000,
    },
  ],
};

const open = (answers: Parameters<typeof answerCalls>[0]) => {
  const sent = answerCalls(answers);
  return renderPage(() => <AdminInvoicesPage />, "/admin/invoices").then(() => sent);
};
const textOf = async (table: string) =>
  within(await screen.findByRole("table", { name: table }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent));

test("the bookkeeper reads a month's sums and its file, what was issued, and what was not and why", async () => {
  await open({ "GET /admin/invoices.json": () => SOME, "GET /admin/invoices/totals.json": () => TOTALS });
  expect(await textOf("Sums by kind, country and rate")).toEqual([
    ["Invoice", "VAT 19%, DE", "1", "$100.00", "$19.00", "$119.00"],
  ]);
  expect(screen.getByRole("link", { name: "October 2026, CSV" }).getAttribute("href")).toBe(
    "/admin/invoices.csv?month=2026-10",
  );
  expect(await textOf("Refills and payments without an invoice")).toEqual([
    ["bob@example.com", "Payment", "Sep 30th, 2026", "the publisher has not agreed to self-billing", "$120.00"],
  ]);
  expect((await textOf("List of invoices"))[0]?.slice(0, 2)).toEqual([
    "EA-2026-00001Invoice",
    "Studio Ltdada@example.com",
  ]);
});

test("an admin cancels a document by a credit note with a reason, and is told what takes its place", async () => {
  const sent = await open({
    "GET /admin/invoices.json": () => SOME,
    "GET /admin/invoices/totals.json": () => TOTALS,
    [`POST /admin/invoices/${ID}/credit`]: () => ({ credit_note: "EA-C-2026-00001", invoice: "EA-2026-00002" }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Cancel Invoice EA-2026-00001" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel by a credit note" }));
  await userEvent.click(dialog.getByRole("button", { name: "Issue credit note" }));
  expect(sent(`POST /admin/invoices/${ID}/credit`)).toEqual([]);
  await userEvent.type(dialog.getByRole("textbox"), "The address was wrong");
  await userEvent.click(dialog.getByRole("button", { name: "Issue credit note" }));
  expect(await screen.findByText("EA-C-2026-00001 cancels EA-2026-00001. EA-2026-00002 takes its place.")).toBeTruthy();
  expect(sent(`POST /admin/invoices/${ID}/credit`).map(({ body }) => body)).toEqual([
    { reason: "The address was wrong" },
  ]);
});

test("without the settings the page says what is missing, and nothing is listed", async () => {
  await open({
    "GET /admin/invoices.json": () => ({ ...NOTHING, missing_settings: ["OPERATOR_VAT_ID is not set"] }),
    "GET /admin/invoices/totals.json": () => ({ months: [], month: null, totals: [] }),
  });
  expect(await screen.findByText("The platform is not known on paper: OPERATOR_VAT_ID is not set.")).toBeTruthy();
  expect(await screen.findByText("No invoices found")).toBeTruthy();
  expect(await screen.findByText("Nothing has been invoiced yet")).toBeTruthy();
});
