import { z } from "zod";
import { isCountry } from "./setting-checks.ts";

/** The checks of the settings of invoices, beside the operator's name and address. */
export const INVOICE_CHECKS = {
  /** ISO 3166-1 alpha-2. */
  country: z.string().refine(isCountry, "must be a country's code in capital letters, such as DE").optional(),
  vatId: z
    .string()
    .regex(/^[A-Za-z0-9 .-]{4,30}$/, "must be letters and digits")
    .optional(),
  /** Begins the number of every document. */
  prefix: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, "must be up to 10 capital letters and digits")
    .optional(),
  /** The first UTC day whose refills and payouts get documents. */
  from: z.iso.date("must be a day like 2026-10-01").optional(),
  dueDays: z.coerce.number().int().min(0).max(365).default(14),
  /** Whether private customers of other member states pay their own country's VAT. */
  oss: z
    .enum(["0", "1"])
    .default("0")
    .transform((value) => value === "1"),
};

/** Who issues invoices, and how. Nothing is issued while one of them is undefined. */
export interface InvoiceSettings {
  name: string | undefined;
  address: string | undefined;
  country: string | undefined;
  vatId: string | undefined;
  prefix: string | undefined;
  from: string | undefined;
  dueDays: number;
  ossRegistered: boolean;
}
