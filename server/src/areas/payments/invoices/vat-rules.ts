import type { InvoiceBlock, VatTreatment } from "@millrace/contract";
import { VAT_RATES } from "./vat-rates.data.ts";

/** The countries in which the platform can be, and whose VAT ids are checked. */
export const VAT_COUNTRIES: ReadonlyMap<string, (typeof VAT_RATES)[string]> = new Map(Object.entries(VAT_RATES));

const OUTSIDE_EU = new Set(["GB", "CH", "NO"]);
/** The United Kingdom was treated as a member state until the end of 2020; the rules here begin after that. */
const FIRST_DAY = "2021-01-01";

export const isInEu = (country: string): boolean => VAT_COUNTRIES.has(country) && !OUTSIDE_EU.has(country);

/**
 * Territories that are a member state's and outside its VAT, or the other way round (Directive 2006/112/EC, Articles 6 and 7):
 * what the country's code says of them would be wrong.
 */
const SPECIAL_TERRITORIES = new Set(["AX", "GF", "GP", "IM", "MC", "MF", "MQ", "RE", "YT"]);

/** Somebody's place in VAT. */
export interface VatPerson {
  /** ISO 3166-1 alpha-2. */
  country: string;
  isBusiness: boolean;
  /** Checked; empty without one. */
  vatId: string;
}

export interface VatPlatform {
  country: string;
  /** Whether it pays other member states' VAT of private customers through the One Stop Shop. */
  ossRegistered: boolean;
}

export interface Vat {
  treatment: VatTreatment;
  /** Whose VAT it is, or would be. */
  country: string;
  rateBasisPoints: number;
}

type Ruling = Vat | { block: InvoiceBlock };

/** The standard rate of a country on a day (UTC), in hundredths of a percent; null if it is not known. */
export function rateOn(country: string, day: string): number | null {
  const rate = VAT_COUNTRIES.get(country)?.findLast(([from]) => from <= day);
  return rate?.[1] ?? null;
}

/**
 * VAT on what the platform sells to an advertiser on a day. The platform is in one of `VAT_COUNTRIES`. Advertising is taxed where a
 * business customer is (Article 44), where the platform is for private customers (Article 45), where they are under the
 * One Stop Shop (Article 58), and not at all for those outside the EU (Article 59).
 */
export function vatOnSale(platform: VatPlatform, customer: VatPerson, day: string): Ruling {
  if (SPECIAL_TERRITORIES.has(customer.country)) return { block: "special_territory" };
  if (customer.country === platform.country) return taxed("domestic", platform.country, day);
  if (!isInEu(platform.country) || !isInEu(customer.country)) {
    // Where a country outside the EU taxes what is sold to private persons abroad is not a rule of ours.
    if (!isInEu(platform.country) && !customer.isBusiness) return { block: "private_abroad" };
    return untaxed("outside_scope", platform.country, day);
  }
  if (!customer.isBusiness)
    return platform.ossRegistered ? taxed("oss", customer.country, day) : taxed("domestic", platform.country, day);
  return customer.vatId === "" ? { block: "vat_id_missing" } : untaxed("reverse_charge", customer.country, day);
}

/**
 * VAT on what a publisher sells to the platform, which issues the invoice for it (self-billing, Article 224). The supplier's VAT comes
 * on top of a payment, and payouts have no place for it: a VAT-registered publisher of the platform's own country invoices itself.
 */
export function vatOnPurchase(platform: VatPlatform, publisher: VatPerson, day: string): Ruling {
  if (SPECIAL_TERRITORIES.has(publisher.country)) return { block: "special_territory" };
  if (publisher.country === platform.country)
    return publisher.vatId === "" ? untaxed("not_registered", platform.country, day) : { block: "domestic_publisher" };
  if (!publisher.isBusiness) return untaxed("not_registered", platform.country, day);
  // Whoever sells services to another member state has a VAT id (Article 214 (1) (e)).
  if (isInEu(platform.country) && isInEu(publisher.country) && publisher.vatId === "")
    return { block: "vat_id_missing" };
  return untaxed("reverse_charge", platform.country, day);
}

function taxed(treatment: VatTreatment, country: string, day: string): Ruling {
  const rateBasisPoints = rateOn(country, day);
  return rateBasisPoints === null ? { block: "rate_unknown" } : { treatment, country, rateBasisPoints };
}

const untaxed = (treatment: VatTreatment, country: string, day: string): Ruling =>
  day < FIRST_DAY ? { block: "rate_unknown" } : { treatment, country, rateBasisPoints: 0 };
