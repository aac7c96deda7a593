import { INVOICE_BLOCKS } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VAT_COUNTRIES, isInEu, rateOn, vatOnPurchase, vatOnSale } from "./vat-rules.ts";

const DAY = "2026-10-15";
const german = { country: "DE", ossRegistered: false };
const withOss = { country: "DE", ossRegistered: true };
const business = (country: string, vatId = "") => ({ country, isBusiness: true, vatId });
const person = (country: string) => ({ country, isBusiness: false, vatId: "" });

test.each([
  ["a business at home pays VAT", german, business("DE"), "domestic DE 1900"],
  ["a private person at home pays VAT", german, person("DE"), "domestic DE 1900"],
  [
    "a business with a VAT id of another member state accounts for it",
    german,
    business("AT", "ATU13585627"),
    "reverse_charge AT 0",
  ],
  ["a business of another member state without a VAT id gets no invoice", german, business("AT"), "vat_id_missing"],
  ["a private person of another member state pays the platform's VAT", german, person("FR"), "domestic DE 1900"],
  ["with the One Stop Shop they pay their own country's", withOss, person("FI"), "oss FI 2550"],
  ["a business outside the EU pays none", german, business("US"), "outside_scope DE 0"],
  ["a private person outside the EU pays none", german, person("BR"), "outside_scope DE 0"],
  ["the United Kingdom is outside the EU", german, business("GB", "GB980780684"), "outside_scope DE 0"],
  [
    "a Swiss platform charges Swiss VAT at home",
    { country: "CH", ossRegistered: false },
    business("CH"),
    "domestic CH 810",
  ],
  [
    "a business abroad pays a British platform none",
    { country: "GB", ossRegistered: false },
    business("DE"),
    "outside_scope GB 0",
  ],
  [
    "a private person abroad is no case of a British platform",
    { country: "GB", ossRegistered: false },
    person("DE"),
    "private_abroad",
  ],
  ["Monaco is outside the EU by its code and inside by its VAT", german, business("MC"), "special_territory"],
] as const)("on sales, %s", (_, platform, customer, expected) => {
  expect(words(vatOnSale(platform, customer, DAY))).toBe(expected);
});

test.each([
  ["a VAT-registered publisher at home invoices itself", german, business("DE", "DE136695976"), "domestic_publisher"],
  ["a publisher at home without VAT id has no VAT", german, business("DE"), "not_registered DE 0"],
  ["a private publisher has no VAT", german, person("FR"), "not_registered DE 0"],
  [
    "the platform accounts for VAT of a business in another member state",
    german,
    business("AT", "ATU13585627"),
    "reverse_charge DE 0",
  ],
  ["a business in another member state needs a VAT id", german, business("AT"), "vat_id_missing"],
  ["the platform accounts for VAT of a business outside the EU", german, business("US"), "reverse_charge DE 0"],
  ["Guadeloupe is France by its country and outside its VAT", german, business("GP"), "special_territory"],
] as const)("on purchases, %s", (_, platform, publisher, expected) => {
  expect(words(vatOnPurchase(platform, publisher, DAY))).toBe(expected);
});

test.each([
  ["DE", "2020-12-31", null],
  ["DE", "2021-01-01", 1900],
  ["EE", "2023-12-31", 2000],
  ["EE", "2024-01-01", 2200],
  ["EE", "2025-06-30", 2200],
  ["EE", "2025-07-01", 2400],
  ["FI", "2024-08-31", 2400],
  ["FI", "2024-09-01", 2550],
  ["SK", "2024-12-31", 2000],
  ["SK", "2025-01-01", 2300],
  ["RO", "2025-07-31", 1900],
  ["RO", "2025-08-01", 2100],
  ["CH", "2023-12-31", 770],
  ["CH", "2024-01-01", 810],
  ["LU", "2023-06-01", 1600],
  ["IE", "2021-02-28", 2100],
  ["IE", "2021-03-01", 2300],
  ["US", "2026-01-01", null],
])("the rate of %s on %s is that of the last change before it", (country, day, expected) => {
  expect(rateOn(country, day)).toBe(expected);
});

test("a day before the rules begin has no rate and no document", () => {
  expect(words(vatOnSale(german, business("DE"), "2020-12-31"))).toBe("rate_unknown");
  expect(words(vatOnSale(german, business("US"), "2020-12-31"))).toBe("rate_unknown");
});

test("the table has all 27 member states and three countries beside them, each in the order of days", () => {
  expect([...VAT_COUNTRIES.keys()].filter(isInEu)).toHaveLength(27);
  expect(VAT_COUNTRIES.size).toBe(30);
  for (const rows of VAT_COUNTRIES.values())
    expect(rows.map(([from]) => from)).toEqual(rows.map(([from]) => from).toSorted());
});

test("for any seller, buyer and supply, VAT has a known treatment or is refused, and a purchase never adds any", () => {
  const country = fc.constantFrom(...VAT_COUNTRIES.keys(), "US", "JP", "MC", "ZZ");
  const anybody = fc.record({ country, isBusiness: fc.boolean(), vatId: fc.constantFrom("", "X1") });
  const platform = fc.record({ country: fc.constantFrom(...VAT_COUNTRIES.keys()), ossRegistered: fc.boolean() });
  fc.assert(
    fc.property(platform, anybody, (seller, other) => {
      const sale = vatOnSale(seller, other, DAY);
      const purchase = vatOnPurchase(seller, other, DAY);
      const refused = [sale, purchase].flatMap((ruling) => ("block" in ruling ? [ruling.block] : []));
      expect(INVOICE_BLOCKS).toEqual(expect.arrayContaining(refused));
      expect("block" in purchase ? 0 : purchase.rateBasisPoints).toBe(0);
      const [treatment, rate] = "block" in sale ? ["", 0] : [sale.treatment, sale.rateBasisPoints];
      expect(rate > 0).toBe(["domestic", "oss"].includes(treatment));
    }),
  );
});

const words = (ruling: ReturnType<typeof vatOnSale>): string =>
  "block" in ruling ? ruling.block : `${ruling.treatment} ${ruling.country} ${ruling.rateBasisPoints}`;
