import type { Billing, Invoice } from "@millrace/contract";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SESSION_KEY } from "../../shared/session.ts";
import { answerCalls, refused } from "../../testing/answer-calls.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { somePager } from "../../testing/some-apps.ts";
import { someSession } from "../../testing/some-session.ts";
import { Invoices } from "./invoices.tsx";

const DETAILS = {
  legal_name: "Studio Ltd",
  address: "2 High Street",
  country: "AT",
  is_business: true,
  vat_id: "ATU13585627",
  self_billing: false,
};
const invoice = (some: Partial<Invoice>): Invoice => ({
  id: "0f8fad5b-d9cb-469f-a165-708677289500",
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
  ...some,
});

async function open(
  billing: Billing,
  {
    invoices = [],
    session = someSession(),
    save,
  }: { invoices?: Invoice[]; session?: ReturnType<typeof someSession>; save?: () => unknown } = {},
) {
  const sent = answerCalls({
    "GET /payment/invoices.json": () => ({ invoices, pager: somePager() }),
    "GET /payment/billing.json": () => billing,
    ...(save && { "POST /payment/billing": save }),
  });
  const { queryClient } = await renderPage(() => <Invoices />, "/payment");
  act(() => void queryClient.setQueryData(SESSION_KEY, session));
  return sent;
}

test("each document says what it is, its VAT or why there is none, and can be downloaded", async () => {
  await open(
    { details: DETAILS, blocks: [], is_issuing: true },
    {
      invoices: [
        invoice({
          id: "0f8fad5b-d9cb-469f-a165-708677289502",
          number: "EA-2026-00002",
          vat: 0,
          total: 100_000_000,
          treatment: "reverse_charge",
          rate_basis_points: 0,
        }),
        invoice({
          id: "0f8fad5b-d9cb-469f-a165-708677289501",
          number: "EA-C-2026-00001",
          series: "credit_note",
          net: -100_000_000,
          vat: -19_000_000,
          total: -119_000_000,
          credits: "EA-2026-00001",
        }),
        invoice({ credited_by: "EA-C-2026-00001" }),
        invoice({
          id: "0f8fad5b-d9cb-469f-a165-708677289503",
          number: "EA-S-2026-00001",
          series: "self_billed",
          supplied_on: "2026-09-30",
        }),
      ],
    },
  );
  const rows = within(await screen.findByRole("table", { name: "Invoices" }))
    .getAllByRole("row")
    .slice(1) as HTMLTableRowElement[];
  expect(rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent))).toEqual([
    ["EA-2026-00002Invoice", "Oct 9th, 2026", "Oct 5th, 2026", "$100.00", "Reverse charge", "$100.00", "PDF"],
    [
      "EA-C-2026-00001Credit note, cancels EA-2026-00001",
      "Oct 9th, 2026",
      "Oct 5th, 2026",
      "−$100.00",
      "−$19.00",
      "−$119.00",
      "PDF",
    ],
    [
      "EA-2026-00001Invoice, cancelled by EA-C-2026-00001",
      "Oct 9th, 2026",
      "Oct 5th, 2026",
      "$100.00",
      "$19.00",
      "$119.00",
      "PDF",
    ],
    // A payment is for a month.
    ["EA-S-2026-00001Self-billing invoice", "Oct 9th, 2026", "September 2026", "$100.00", "$19.00", "$119.00", "PDF"],
  ]);
  expect(screen.getByRole("link", { name: "EA-2026-00002, PDF" }).getAttribute("href")).toBe(
    "/payment/invoices/0f8fad5b-d9cb-469f-a165-708677289502/pdf",
  );
});

test.each([
  ["Each payment that was sent gets one, if the account has agreed to self-billing. It is mailed to you.", true, false],
  ["Each refill gets one. It is mailed to you.", false, true],
  [
    "Each refill gets one, and each payment that was sent, if the account has agreed to self-billing. It is mailed to you.",
    true,
    true,
  ],
])("an account without invoices reads which of its own will come: %s", async (why, can_apps, can_campaign) => {
  const session = someSession({ roles: { can_apps, can_campaign } });
  await open({ details: DETAILS, blocks: [], is_issuing: true }, { session });
  expect(await screen.findByText(why)).toBeTruthy();
});

test.each([
  ["Once this platform issues invoices, each new refill gets one. It is mailed to you.", false, true],
  [
    "Once this platform issues invoices, each new payment gets one, if the account has agreed to self-billing. It is mailed to you.",
    true,
    false,
  ],
])("no invoice is promised on a platform that issues none: %s", async (why, can_apps, can_campaign) => {
  const session = someSession({ roles: { can_apps, can_campaign } });
  await open({ details: null, blocks: [], is_issuing: false }, { session });
  expect(await screen.findByText(why)).toBeTruthy();
});

test("an owner enters billing details; a refused VAT id is named at its field, and a private person has none", async () => {
  let wrong = true;
  const sent = await open(
    { details: null, blocks: ["no_details"], is_issuing: true },
    {
      save: () =>
        wrong
          ? refused(400, { vat_id: "This is no VAT id" })
          : { details: DETAILS, blocks: ["no_self_billing"], is_issuing: true },
    },
  );
  expect(await screen.findByText("No invoices found")).toBeTruthy();
  await userEvent.type(await screen.findByLabelText("Legal name"), "Studio Ltd");
  await userEvent.selectOptions(screen.getByLabelText("Country"), "Austria");
  await userEvent.type(screen.getByLabelText("Address"), "2 High Street");
  await userEvent.type(screen.getByLabelText("VAT ID, if you have one"), "ATU1");
  await userEvent.click(screen.getByRole("button", { name: "Save billing details" }));
  expect(await screen.findByText("This is no VAT id")).toBeTruthy();

  wrong = false;
  await userEvent.click(screen.getByRole("checkbox", { name: "We are a business, not a private person" }));
  expect(screen.queryByLabelText("VAT ID, if you have one")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save billing details" }));
  expect(await screen.findByText("Your billing details are saved")).toBeTruthy();
  expect(sent("POST /payment/billing").at(-1)?.body).toMatchObject({ is_business: false, vat_id: "", country: "AT" });
  expect(screen.getByText("No invoice can be issued: the publisher has not agreed to self-billing.")).toBeTruthy();
});

test.each([
  ["Only the account’s owner changes billing details.", { role: "SUSR" as const }],
  ["Billing details are closed while an admin is switched in.", { is_switched: true }],
])("whoever may not change them reads them: %s", async (why, some) => {
  await open({ details: DETAILS, blocks: [], is_issuing: true }, { session: someSession(some) });
  expect(await screen.findByText(why)).toBeTruthy();
  expect(screen.getByText(/Studio Ltd/).textContent).toBe("Studio Ltd\n2 High Street\nAustria\nATU13585627");
  expect(screen.queryByRole("button", { name: "Save billing details" })).toBeNull();
});
