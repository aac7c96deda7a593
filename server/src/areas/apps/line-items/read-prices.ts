import { type LinePrice, LinePrice as Price, MOST_PRICE_LINES } from "@millrace/contract";
import { readCsv } from "../../../platform/read-csv.ts";

/** The prices of a file by the name of the line item, in lower case; or its faults, by line and column. */
export type PricesRead = { ok: true; prices: ReadonlyMap<string, LinePrice[]> } | { ok: false; faults: Faults };

type Faults = Record<string, string>;

const COLUMNS = ["line_item", "country", "price"] as const;
/** Faults that are listed at most. */
const MOST_FAULTS = 20;
/** A line break costs a byte, so a file of faults alone would otherwise be read to its end. */
const AMOUNT = /^\d{1,4}(\.\d{1,6})?$/;

/**
 * Reads a CSV file of prices: a line item's name, a country (two letters, empty for every other), a CPM in dollars. `names` are
 * the known ones in lower case. One fault anywhere, and no price is returned.
 */
export function readPrices(content: string, names: ReadonlySet<string>): PricesRead {
  const { records, errors } = readCsv(content, { onlyHead: false });
  const [head, ...body] = records;
  const faults: Faults = {};
  const note = (line: number, column: string, message: string) => {
    if (Object.keys(faults).length < MOST_FAULTS) faults[`line ${line}, ${column}`] = message;
  };
  for (const { line, field, message } of errors) note(line, field, message);
  const columns = (head?.cells ?? []).map((name) => name.toLowerCase());
  for (const column of COLUMNS) {
    if (errors.length === 0 && !columns.includes(column)) note(1, column, "There is no such column");
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  if (body.length === 0) note(1, "line_item", "There is no line below the head");
  if (body.length > MOST_PRICE_LINES) note(MOST_PRICE_LINES + 1, "line_item", `At most ${MOST_PRICE_LINES} lines`);
  const prices = new Map<string, LinePrice[]>();
  for (const { line, cells } of body.slice(0, MOST_PRICE_LINES)) {
    const cell = (column: (typeof COLUMNS)[number]) => (cells[columns.indexOf(column)] ?? "").trim();
    const name = cell("line_item").toLowerCase();
    if (!names.has(name)) note(line, "line_item", `There is no line item “${cell("line_item").slice(0, 64)}”`);
    const country = cell("country").toUpperCase() || null;
    const amount = cell("price");
    const read = Price.safeParse({ country, price: AMOUNT.test(amount) ? microsOf(amount) : 0 });
    for (const { path, message } of read.error?.issues ?? []) {
      note(line, String(path[0]), path[0] === "price" ? "Use a price like 2.50, above 0 and at most 1000" : message);
    }
    const own = prices.get(name) ?? [];
    if (own.some((other) => other.country === country)) note(line, "country", "This country has a price above");
    if (read.success) prices.set(name, [...own, read.data]);
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, prices };
}

/** A decimal of dollars in micro-dollars, exactly. */
function microsOf(amount: string): number {
  const [whole = "", fraction = ""] = amount.split(".");
  return Number(whole + fraction.padEnd(6, "0"));
}
