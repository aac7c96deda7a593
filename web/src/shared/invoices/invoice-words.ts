import type { Invoice, InvoiceBlock, InvoiceSeries, VatTreatment } from "@millrace/contract";

export const SERIES_WORDS = {
  invoice: "Invoice",
  self_billed: "Self-billing invoice",
  credit_note: "Credit note",
} as const satisfies Record<InvoiceSeries, string>;

/** Why there is no invoice. */
export const BLOCK_WORDS = {
  no_details: "there are no billing details",
  no_self_billing: "the publisher has not agreed to self-billing",
  agreed_later: "it was paid before the publisher agreed to self-billing; the publisher sends its own invoice",
  vat_id_missing: "a business in another member state of the EU needs a VAT ID",
  domestic_publisher: "a publisher with a VAT ID in the platform’s own country sends its own invoice",
  private_abroad: "invoices to private persons abroad are not handled for a platform outside the EU",
  special_territory: "the VAT of this territory is not handled",
  rate_unknown: "the VAT rate of that day is not known",
} as const satisfies Record<InvoiceBlock, string>;

const TREATMENT_WORDS = {
  domestic: "VAT",
  reverse_charge: "Reverse charge",
  oss: "VAT by One Stop Shop",
  outside_scope: "Outside the scope",
  not_registered: "No VAT",
} as const satisfies Record<VatTreatment, string>;

/** How VAT is treated, with the rate if there is one: `VAT 19%`. */
export const treatmentWords = ({
  treatment,
  rate_basis_points: rate,
}: Pick<Invoice, "treatment" | "rate_basis_points">): string =>
  rate === 0 ? TREATMENT_WORDS[treatment] : `${TREATMENT_WORDS[treatment]} ${rate / 100}%`;

/** What became of a document, under its number. */
export const creditWords = ({ series, credits, credited_by }: Invoice): string => {
  if (credits !== null) return `${SERIES_WORDS[series]}, cancels ${credits}`;
  return credited_by === null ? SERIES_WORDS[series] : `${SERIES_WORDS[series]}, cancelled by ${credited_by}`;
};
