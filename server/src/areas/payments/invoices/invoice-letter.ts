import { type InvoiceSeries, asSentence } from "@millrace/contract";
import { dayOf, formatDay, formatMoney, formatMoneyTo, formatMonth } from "@millrace/units";
import type { Letter } from "../../../platform/pdf/draw-letter.ts";
import { countryName } from "../../statistics/index.ts";
import { CENT } from "../ledger.ts";
import type { Party } from "./issuer.ts";
import type { NewDocument } from "./store-document.ts";
import { isInEu } from "./vat-rules.ts";

/** A document as it was issued. */
export type IssuedDocument = Omit<NewDocument, "accountId" | "postingId" | "payoutId" | "edition" | "credits"> & {
  number: string;
  /** The document that a credit note cancels, and when that was issued. */
  credited: { number: string; issuedAt: Date } | null;
};

const TITLES = {
  invoice: "Invoice",
  self_billed: "Self-billing invoice",
  credit_note: "Credit note",
} as const satisfies Record<InvoiceSeries, string>;

const MICRO_DECIMALS = 6;
const money = (cents: bigint): string => formatMoney(cents * CENT);
const exact = (micros: bigint): string => formatMoneyTo(micros, MICRO_DECIMALS);

/** 1900 reads 19%, 2550 reads 25.5%. */
export const rateText = (basisPoints: number): string => `${basisPoints / 100}%`;

/** A document with what Article 226 of Directive 2006/112/EC demands of an invoice, as a letter. */
export function invoiceLetter(document: IssuedDocument, publicUrl: string): Letter {
  const { number, series, kind, issuedAt, suppliedOn, dueOn, credited, platform, party, netCents, vatCents } = document;
  const issuedOn = (at: Date) => `${formatDay(dayOf(at.getTime()))} (UTC)`;
  const isSale = kind === "invoice";
  return {
    title: `${TITLES[series]} ${number}`,
    publicUrl,
    madeMs: issuedAt.getTime(),
    parties: [
      { label: "SUPPLIER", lines: partyLines(isSale ? platform : party) },
      { label: "CUSTOMER", lines: partyLines(isSale ? party : platform) },
    ],
    facts: [
      ["Number", number],
      ["Issued on", issuedOn(issuedAt)],
      ...(credited === null ? [] : [["Cancels", `${credited.number} of ${issuedOn(credited.issuedAt)}`] as const]),
      [
        series === "self_billed" ? "Month of supply" : "Day of supply",
        series === "self_billed" ? formatMonth(suppliedOn.slice(0, 7)) : `${formatDay(suppliedOn)} (UTC)`,
      ],
      ...(dueOn === null ? [] : [["Payable by", formatDay(dueOn)] as const]),
      ["Currency", "US dollar (USD)"],
    ],
    tables: [
      {
        heads: ["Service", "Quantity", "Net amount"],
        mostName: 0.66,
        rows: [[serviceOf(document), "1", money(netCents)]],
      },
    ],
    sums: [
      ...carriedLines(document),
      ["Net amount", money(netCents)],
      [vatLabel(document), money(vatCents)],
      ["Total", money(netCents + vatCents)],
    ],
    notes: notesOf(document),
  };
}

function serviceOf({ series, kind, suppliedOn, credited }: IssuedDocument): string {
  if (series === "credit_note") return `Cancellation of ${credited?.number ?? ""}`;
  return kind === "invoice"
    ? `Advertising: prepayment of ${formatDay(suppliedOn)}, added to the campaign balance`
    : `Advertising space in the supplier’s apps, paid for ${formatMonth(suppliedOn.slice(0, 7))}`;
}

function partyLines({ name, address, country, vatId }: Party): string[] {
  const lines = address.split("\n").flatMap((line) => line.trim() || []);
  return [name, ...lines, countryName(country), ...(vatId === "" ? [] : [`VAT ID ${vatId}`])];
}

/** Only where the ledger's amount is no whole number of cents. */
function carriedLines({ amountMicros, carriedInMicros, carriedOutMicros }: IssuedDocument): [string, string][] {
  if (carriedInMicros === 0n && carriedOutMicros === 0n) return [];
  return [
    ["Amount in the account’s history", exact(amountMicros)],
    ["Less than a cent from earlier documents", exact(carriedInMicros)],
    ["Less than a cent, left to later ones", exact(-carriedOutMicros)],
  ];
}

const vatLabel = ({ rateBasisPoints, vatCountry }: IssuedDocument): string =>
  rateBasisPoints === 0 ? "VAT" : `VAT ${rateText(rateBasisPoints)} (${countryName(vatCountry)})`;

/** The words that the directive demands, and why there is no VAT where there is none. */
function notesOf({
  series,
  kind,
  treatment,
  platform,
  party,
  reason,
  amountMicros,
  netCents,
}: IssuedDocument): string[] {
  const europe = isInEu(platform.country);
  const texts = {
    domestic: [],
    oss: ["VAT of the customer’s country, declared through the One Stop Shop (Article 58 of Directive 2006/112/EC)."],
    reverse_charge: [
      europe
        ? "Reverse charge: the recipient of the service accounts for VAT (Articles 44 and 196 of Directive 2006/112/EC)."
        : "Reverse charge: the recipient of the service accounts for VAT.",
    ],
    outside_scope: [
      europe
        ? `Outside the scope of VAT in the EU: the service is supplied where the customer is (Article ${party.isBusiness ? "44" : "59"} of Directive 2006/112/EC).`
        : `Outside the scope of VAT in ${countryName(platform.country)}: the service is supplied where the customer is.`,
    ],
    not_registered: ["No VAT: the supplier has stated no VAT ID."],
  } as const satisfies Record<IssuedDocument["treatment"], readonly string[]>;
  const isCredit = series === "credit_note";
  return [
    ...(isCredit ? [`Reason: ${asSentence(reason)}`] : []),
    ...(kind === "self_billed" ? ["Self-billing: issued by the customer, as agreed with the supplier."] : []),
    ...texts[treatment],
    ...(isCredit
      ? []
      : [
          kind === "invoice"
            ? "If this amount has been paid already, nothing more is to be paid."
            : "The amount has been paid.",
        ]),
    ...(amountMicros === netCents * CENT
      ? []
      : ["Documents are made in whole cents; the rest is carried to the next one."]),
  ];
}
