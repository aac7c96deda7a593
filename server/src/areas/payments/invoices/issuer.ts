import type { InvoiceSettings } from "../../../platform/invoice-settings.ts";
import { checkedVatId } from "./vat-id.ts";
import { VAT_COUNTRIES } from "./vat-rules.ts";

/** Somebody as a document names them. Stored with the document, as JSON. */
export interface Party {
  name: string;
  /** In lines. */
  address: string;
  country: string;
  /** With its prefix; empty without one. */
  vatId: string;
  isBusiness: boolean;
}

/** The platform as it issues documents. */
export interface Issuer {
  party: Party;
  prefix: string;
  dueDays: number;
  /** The first UTC day of which refills and payouts get documents. */
  from: string;
  ossRegistered: boolean;
}

/** The settings as an issuer, or, if it cannot be one, a sentence for each setting that stands against it. */
export async function issuerOf(settings: InvoiceSettings): Promise<{ issuer: Issuer } | { missing: string[] }> {
  const { name, address, country, vatId, prefix, from, dueDays, ossRegistered } = settings;
  const missing = Object.entries({
    OPERATOR_NAME: name,
    OPERATOR_ADDRESS: address,
    OPERATOR_COUNTRY: country,
    OPERATOR_VAT_ID: vatId,
    INVOICE_PREFIX: prefix,
    INVOICES_FROM: from,
  }).flatMap(([setting, value]) => (value === undefined ? [`${setting} is not set`] : []));
  if (!name || !address || !country || !vatId || !prefix || !from) return { missing };
  if (!VAT_COUNTRIES.has(country))
    return {
      missing: [`OPERATOR_COUNTRY is ${country}: only the EU, the United Kingdom, Switzerland and Norway are handled`],
    };
  const checked = await checkedVatId(country, vatId);
  if (checked === null) return { missing: [`OPERATOR_VAT_ID is no valid VAT id of ${country}`] };
  return {
    issuer: {
      party: { name, address, country, vatId: checked, isBusiness: true },
      prefix,
      dueDays,
      from,
      ossRegistered,
    },
  };
}
