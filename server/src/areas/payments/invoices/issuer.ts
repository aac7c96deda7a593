import type { InvoiceSettings } from "../../../platform/invoice-settings.ts";
import { StartError } from "../../../platform/start-error.ts";
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

type SettingName =
  | "OPERATOR_NAME"
  | "OPERATOR_ADDRESS"
  | "OPERATOR_COUNTRY"
  | "OPERATOR_VAT_ID"
  | "INVOICE_PREFIX"
  | "INVOICES_FROM";

const named = ({
  name,
  address,
  country,
  vatId,
  prefix,
  from,
}: InvoiceSettings): Record<SettingName, string | undefined> => ({
  OPERATOR_NAME: name,
  OPERATOR_ADDRESS: address,
  OPERATOR_COUNTRY: country,
  OPERATOR_VAT_ID: vatId,
  INVOICE_PREFIX: prefix,
  INVOICES_FROM: from,
});

/**
 * Refuses settings by which the operator means to issue documents while they cannot be issued, and a VAT id that is wrong. Name, address
 * and country alone are for the legal pages. A demo fills in what is missing. Throws StartError.
 */
export async function assertIssuer(settings: InvoiceSettings, isDemo: boolean): Promise<void> {
  const { country, vatId, prefix, from } = settings;
  if (vatId !== undefined) {
    if (country === undefined)
      throw new StartError("The setting OPERATOR_COUNTRY is missing: OPERATOR_VAT_ID is set without it.");
    if ((await checkedVatId(country, vatId)) === null)
      throw new StartError(`The setting OPERATOR_VAT_ID is wrong: ${vatId} is no valid VAT ID of ${country}.`);
  }
  if (isDemo || (prefix === undefined && from === undefined)) return;
  const set = from === undefined ? "INVOICE_PREFIX" : "INVOICES_FROM";
  const missing = Object.entries(named(settings)).find(([, value]) => value === undefined);
  if (missing) throw new StartError(`The setting ${missing[0]} is missing: ${set} is set without it.`);
  const found = await issuerOf(settings);
  if ("missing" in found) throw new StartError(`The settings of invoices are wrong: ${found.missing.join(", ")}.`);
}

/** The settings as an issuer, or, if it cannot be one, a sentence for each setting that stands against it. */
export async function issuerOf(settings: InvoiceSettings): Promise<{ issuer: Issuer } | { missing: string[] }> {
  const { name, address, country, vatId, prefix, from, dueDays, ossRegistered } = settings;
  const missing = Object.entries(named(settings)).flatMap(([setting, value]) =>
    value === undefined ? [`${setting} is not set`] : [],
  );
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
