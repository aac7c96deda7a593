import type { StatRow, StatTable, TableOrder, View } from "@millrace/contract";
import { pageOf } from "../../platform/page-of.ts";
import { type Names, rowName } from "./labels.ts";
import { NO_SUMS, rates } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";
import { TOTAL } from "./sums.stat.ts";

export interface TableOrdering {
  /** Which page of how many rows; the whole table without `rows`. */
  p?: number;
  rows?: number | undefined;
  order: TableOrder;
  order_type: "asc" | "desc";
}

/** Rows of the view that have any number, in order; the total is the summary's own, never a sum of rows. */
export async function table(numbers: Numbers, view: View, ordering: TableOrdering, names: Names): Promise<StatTable> {
  const [sums, uniques, total, totalUniques] = await Promise.all([
    numbers.sums(view),
    numbers.uniques(view),
    numbers.sums("total"),
    numbers.uniques("total"),
  ]);
  const sessionsTotal = hasSessions(numbers.scope);
  const withSessions = sessionsTotal && (view === "date" || view === "country");
  const ids = new Set([...sums.keys(), ...uniques.keys()]);
  const rows = [...ids].map((id) => ({
    id,
    name: rowName(view, id, names),
    ...rates(sums.get(id) ?? NO_SUMS, uniques.get(id) ?? 0, withSessions),
  }));
  return {
    view,
    ...paged(rows.filter(hasAny).toSorted(inOrder(view, ordering)), ordering),
    total: {
      id: "total",
      name: "Total",
      ...rates(total.get(TOTAL) ?? NO_SUMS, totalUniques.get(TOTAL) ?? 0, sessionsTotal),
    },
  };
}

function paged(all: StatRow[], { p = 0, rows }: TableOrdering): Pick<StatTable, "stats" | "pager"> {
  if (rows === undefined) return { stats: all };
  const { page, pager } = pageOf(all, p, rows);
  return { stats: page, pager };
}

/** Invalid events and the mere length of sessions make a group in the store, and no row for people. */
const hasAny = ({ requests, impressions, clicks, sessions, uniques }: StatRow): boolean =>
  requests > 0 || impressions > 0 || clicks > 0 || (sessions ?? 0) > 0 || uniques > 0;

/** Rows without the number come last either way; equal ones stand by their key, so that the order is always the same. */
function inOrder(view: View, { order, order_type: direction }: TableOrdering) {
  const sign = direction === "asc" ? 1 : -1;
  return (a: StatRow, b: StatRow): number => {
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
