import { setImmediate as nextTurn } from "node:timers/promises";
import type { StatRow, StatTable, TableFigure, TableOrder, View } from "@millrace/contract";
import { DAY_MS, addDays, dayStartMs } from "@millrace/units";
import { pageOf } from "../../platform/page-of.ts";
import { sortedInTurns } from "../../platform/sorted-in-turns.ts";
import { type Names, rowName } from "./labels.ts";
import type { GraphNumbers } from "./graph.ts";
import { NO_SUMS, lastFigures, rates } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";
import { TOTAL } from "./sums.stat.ts";
import { comparedUntil } from "./totals.ts";

export interface TableOrdering {
  /** Which page of how many rows; the whole table without `rows`. */
  p?: number;
  rows?: number | undefined;
  order: TableOrder;
  order_type: "asc" | "desc";
}

/** Rows of the view that have any number in either period, in order; the total is the summary's own, never a sum of rows. */
export async function table(numbers: Numbers, view: View, ordering: TableOrdering, names: Names): Promise<StatTable> {
  const { compared } = numbers;
  const [sums, uniques, total, totalUniques, lastSums, lastTotal] = await Promise.all([
    numbers.sums(view),
    numbers.uniques(view),
    numbers.sums("total"),
    numbers.uniques("total"),
    compared?.sums(view),
    compared?.sums("total"),
  ]);
  const sessionsTotal = hasSessions(numbers.scope);
  const withSessions = sessionsTotal && (view === "date" || view === "country");
  const sameDay = daysLater(numbers);
  const last = lastSums && new Map([...lastSums].map(([id, row]) => [view === "date" ? sameDay(id) : id, row]));
  const rows: StatRow[] = [];
  for (const id of new Set([...sums.keys(), ...uniques.keys(), ...(last?.keys() ?? [])])) {
    // Years of days are thousands of rows, and auctions must not wait until all are made.
    if (rows.length % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTurn();
    rows.push({
      id,
      name: rowName(view, id, names),
      ...rates(sums.get(id) ?? NO_SUMS, uniques.get(id) ?? 0, withSessions),
      ...lastFigures(last ? (last.get(id) ?? NO_SUMS) : null, withSessions),
    });
  }
  return {
    view,
    ...paged(await sortedInTurns(rows.filter(hasAny), inOrder<TableFigure>(view, ordering)), ordering),
    total: {
      id: "total",
      name: "Total",
      ...rates(total.get(TOTAL) ?? NO_SUMS, totalUniques.get(TOTAL) ?? 0, sessionsTotal),
      ...lastFigures(lastTotal ? (lastTotal.get(TOTAL) ?? NO_SUMS) : null, sessionsTotal),
    },
    requests_sent: view === "provider" ? rows.reduce((sum, { requests }) => sum + requests, 0) : null,
    compared_until: comparedUntil(numbers),
  };
}

const ROWS_A_TURN = 250;

/** Turns a day of the compared period into the day of the range at the same place. */
export function daysLater({ scope, compared }: GraphNumbers): (day: string) => string {
  const from = compared?.comparison.range.ds ?? scope.range.ds;
  const days = (dayStartMs(scope.range.ds) - dayStartMs(from)) / DAY_MS;
  return (day) => addDays(day, days);
}

function paged(all: StatRow[], { p = 0, rows }: TableOrdering): Pick<StatTable, "stats" | "pager"> {
  if (rows === undefined) return { stats: all };
  const { page, pager } = pageOf(all, p, rows);
  return { stats: page, pager };
}

/** Invalid events and the mere length of sessions make a group in the store, and no row for people. */
const hasAny = (row: StatRow): boolean =>
  [row.requests, row.impressions, row.clicks, row.sessions, row.uniques].some(isSome) ||
  [row.last_requests, row.last_impressions, row.last_clicks, row.last_sessions].some(isSome);
const isSome = (count: number | null): boolean => count !== null && count > 0;

type Ordered<Figure extends string> = { id: string; name: string } & Record<Figure, number | null>;

/** Rows without the number come last either way; equal ones stand by their key, so that the order is always the same. */
export function inOrder<Figure extends string>(
  view: string,
  { order, order_type: direction }: { order: Figure | "name"; order_type: "asc" | "desc" },
) {
  const sign = direction === "asc" ? 1 : -1;
  return (a: Ordered<Figure>, b: Ordered<Figure>): number => {
    const byKey = a.id < b.id ? -1 : 1;
    if (order === "name") return sign * (view === "date" ? byKey : compareNames(a.name, b.name) || byKey);
    const [left, right] = [a[order], b[order]];
    if (left === right) return byKey;
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * (left - right);
  };
}

const names = new Intl.Collator("en", { numeric: true });
export const compareNames = (a: string, b: string): number => names.compare(a, b);
