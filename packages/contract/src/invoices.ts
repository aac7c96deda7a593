import { z } from "zod";
import { Pager } from "./apps.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Micros, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** `2026-10`. */
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
/** ISO 3166-1 alpha-2. */
const Country = z.string().regex(/^[A-Z]{2}$/, "Choose a country");

/** Who an account is on paper. */
const BillingFields = z.strictObject({
  legal_name: z.string().trim().min(1, TEXTS.required).max(150),
  /** In lines. */
  address: z.string().trim().min(1, TEXTS.required).max(400),
  country: Country,
  /** A private person has no VAT id. */
  is_business: z.boolean(),
  /** With or without the country's prefix; empty without one. The server checks its format and check digits. */
  vat_id: z.string().trim().max(30),
  /** Whether the platform may issue the invoices for what the account is paid (Directive 2006/112/EC, Article 224). */
  self_billing: z.boolean(),
});
export type BillingFields = z.output<typeof BillingFields>;

/** Why no document can be made. */
export const INVOICE_BLOCKS = [
  "no_details",
  "no_self_billing",
  /** Paid before the publisher agreed to self-billing, so the publisher invoices it. */
  "agreed_later",
  "vat_id_missing",
  "domestic_publisher",
  "private_abroad",
  "special_territory",
  "rate_unknown",
] as const;
export type InvoiceBlock = (typeof INVOICE_BLOCKS)[number];

const Billing = z.object({
  /** Null until they were entered. */
  details: BillingFields.nullable(),
  /** What stands against documents, one for each side that the account has; empty if nothing does. */
  blocks: z.array(z.enum(INVOICE_BLOCKS)),
  /** Whether the platform makes documents at all. */
  is_issuing: z.boolean(),
});
export type Billing = z.infer<typeof Billing>;

export const billing = defineCall({
  method: "GET",
  path: "/payment/billing.json",
  summary: "Get who the account is on invoices, and what stands against them",
  access: "balance.read",
  reply: Billing,
});

export const editBilling = defineCall({
  method: "POST",
  path: "/payment/billing",
  summary: "Say who the account is on invoices; documents that were issued do not change",
  access: "billing.manage",
  body: BillingFields,
  reply: Billing,
});

/** An invoice to an advertiser, one to the platform that it issues itself for a publisher, and what cancels one of them. */
export const INVOICE_SERIES = ["invoice", "self_billed", "credit_note"] as const;
export type InvoiceSeries = (typeof INVOICE_SERIES)[number];

/** How VAT is treated; the decision on invoices has the rules. */
export const VAT_TREATMENTS = ["domestic", "reverse_charge", "oss", "outside_scope", "not_registered"] as const;
export type VatTreatment = (typeof VAT_TREATMENTS)[number];

const Invoice = z.object({
  id: Uuid,
  number: z.string(),
  series: z.enum(INVOICE_SERIES),
  issued_at: z.iso.datetime(),
  /** The UTC day of the payment or the last one of the month that is paid; of a credit note the day of what it cancels,
   *  or of the return if a payout came back. */
  supplied_on: Day,
  /** Null if nothing is to be paid. */
  due_on: Day.nullable(),
  /** In whole cents, as micro-dollars; negative in a credit note. `total` = `net` + `vat`. */
  net: Micros,
  vat: Micros,
  total: Micros,
  treatment: z.enum(VAT_TREATMENTS),
  /** In hundredths of a percent: 1900 is 19%. */
  rate_basis_points: z.int(),
  /** The number of the document that a credit note cancels, and of the credit note that cancels this one. */
  credits: z.string().nullable(),
  credited_by: z.string().nullable(),
});
export type Invoice = z.infer<typeof Invoice>;

export const invoices = defineCall({
  method: "GET",
  path: "/payment/invoices.json",
  summary: "List the account's invoices and credit notes, newest first, 10 per page",
  access: "balance.read",
  query: SearchedPage.pick({ p: true }),
  reply: z.object({ invoices: z.array(Invoice), pager: Pager }),
});

export const invoicePdf = defineCall({
  method: "GET",
  path: "/payment/invoices/{id}/pdf",
  summary: "Download an invoice or a credit note of the account as PDF",
  access: "balance.read",
  params: ById,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

const AdminInvoice = Invoice.extend({
  /** The name on the document. */
  name: z.string(),
  /** The owner's e-mail; null if the account is deleted. */
  account: z.string().nullable(),
});

/** What a document should be made of, and cannot. */
const Uninvoiced = z.object({
  account: z.string().nullable(),
  series: z.enum(INVOICE_SERIES),
  /** The UTC day of the refill, or the last one of the month that was paid. */
  day: Day,
  amount: Micros,
  block: z.enum(INVOICE_BLOCKS),
});

export const adminInvoices = defineCall({
  method: "GET",
  path: "/admin/invoices.json",
  summary: "Find documents of all accounts by number, name or owner; get what could not be invoiced, and why",
  access: "admin",
  query: SearchedPage,
  reply: z.object({
    /** What must be set before anything is issued; empty if nothing is missing. */
    missing_settings: z.array(z.string()),
    invoices: z.array(AdminInvoice),
    pager: Pager,
    uninvoiced: z.array(Uninvoiced),
    /** How many more there are. */
    left_off: z.int(),
  }),
});
export type AdminInvoices = z.infer<typeof adminInvoices.reply>;

export const adminInvoicePdf = defineCall({
  method: "GET",
  path: "/admin/invoices/{id}/pdf",
  summary: "Download a document of any account as PDF",
  access: "admin",
  params: ById,
  reply: z.string(),
  replyTypes: ["application/pdf"],
});

/** The documents whose day of supply is in a month; without one, in the last month that has any. */
const OfMonth = z.strictObject({ month: Month.optional() });

export const invoiceTotals = defineCall({
  method: "GET",
  path: "/admin/invoices/totals.json",
  summary: "Get a month's sums by kind of document, treatment, country and rate, credit notes taken off",
  access: "admin",
  query: OfMonth,
  reply: z.object({
    /** All months with documents, newest first. */
    months: z.array(Month),
    month: Month.nullable(),
    totals: z.array(
      z.object({
        /** What was invoiced, or credited. */
        series: z.enum(["invoice", "self_billed"]),
        treatment: z.enum(VAT_TREATMENTS),
        /** Whose VAT it is. */
        country: z.string(),
        rate_basis_points: z.int(),
        documents: z.int(),
        net: Micros,
        vat: Micros,
        total: Micros,
      }),
    ),
  }),
});
export type InvoiceTotals = z.infer<typeof invoiceTotals.reply>;

export const invoicesCsv = defineCall({
  method: "GET",
  path: "/admin/invoices.csv",
  summary: "Download a month's documents line by line as CSV, for the bookkeeper",
  access: "admin",
  query: z.strictObject({ month: Month }),
  reply: z.string(),
  replyTypes: ["text/csv"],
});

export const creditInvoice = defineCall({
  method: "POST",
  path: "/admin/invoices/{id}/credit",
  summary: "Cancel a document by a credit note. It is issued anew from today's billing details, once they allow it",
  access: "admin",
  params: ById,
  body: z.strictObject({ reason: z.string().trim().min(1, TEXTS.required).max(300) }),
  reply: z.object({ credit_note: z.string(), invoice: z.string().nullable() }),
});
