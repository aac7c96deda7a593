import type { CurrencyRate } from "./currency-rates.ts";

const DAY = /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']/;
const RATE = /<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["'](\d+(?:\.\d+)?)["']/g;

/**
 * The rates of a daily file in the format of the European Central Bank (eurofxref-daily.xml): units per euro, of one day. Null
 * for anything else, and for a file without the dollar, in which the other rates are expressed.
 */
export function readRatesFile(xml: string): CurrencyRate[] | null {
  const day = DAY.exec(xml)?.[1];
  // Of a file with several days, the first is the newest; its rates end where the next day begins.
  const start = day === undefined ? -1 : xml.indexOf(day);
  const end = xml.slice(start + 1).search(DAY);
  const newest = end < 0 ? xml.slice(start) : xml.slice(start, start + 1 + end);
  const perEuro = new Map<string, number>([["EUR", 1]]);
  for (const [, currency = "", rate = ""] of newest.matchAll(RATE)) {
    const value = Number(rate);
    if (!(value > 0)) return null;
    perEuro.set(currency, value);
  }
  const dollars = perEuro.get("USD");
  if (day === undefined || Number.isNaN(Date.parse(day)) || dollars === undefined) return null;
  return [...perEuro].flatMap(([currency, units]) =>
    currency === "USD" ? [] : [{ currency, day, usd: Number((dollars / units).toPrecision(12)) }],
  );
}
