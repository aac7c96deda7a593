import { formatChange } from "@millrace/units";
import { Change } from "../../ui/number/change.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { type Figure, METRIC_WORDS, columnFormat } from "./metric-words.ts";

type Figures<Id extends Figure> = Record<Id, number | null>;

interface FigureColumnOptions<Id extends Figure, Row extends Figures<Id>> {
  /** In their order on screen. */
  ids: readonly Id[];
  /** The figure that stands beside a row's name on a phone. */
  leading: Id;
  rows: readonly Row[];
  total: Row;
  /** The figure that orders the rows, with a bar under each. */
  ranked: Id;
  /** Why a row can lack a figure. */
  missing: Partial<Record<Id, string>>;
}

/** The columns of figures, each with one number of decimals from its first row to its total. */
export function figureColumns<Id extends Figure, Row extends Figures<Id>>(
  shown: FigureColumnOptions<Id, Row>,
): Column<Row, Id>[] {
  const { ids, leading, rows, total, ranked, missing } = shown;
  const most = Math.max(0, ...rows.map((row) => row[ranked] ?? 0));
  return ids.map((id) => {
    const { label, exact } = METRIC_WORDS[id];
    const format = columnFormat(
      id,
      [...rows, total].map((row) => row[id]),
    );
    return {
      id,
      head: label,
      numeric: true,
      leads: id === leading,
      order: id,
      cell: (row) => format(row[id]),
      exact: (row) => (row[id] === null ? (missing[id] ?? "") : exact(row[id])),
      ...(id === ranked && most > 0 ? { share: (row: Row) => (row[id] ?? 0) / most } : {}),
    };
  });
}

interface Compared<Row> {
  /** Money of the row, and of the compared period; null without a comparison. */
  money: (row: Row) => readonly [now: number, before: number | null];
  /** What a row is compared with, in words. */
  against: (row: Row) => string;
  /** Whether more is better; neither for costs. */
  good?: "neither";
}

/** The change of a row's money from the compared period. It is no figure of its own, so nothing is ordered by it. */
export const changeColumn = <Row,>({ money, against, good }: Compared<Row>): Column<Row, never> => ({
  id: "change",
  head: "Change",
  numeric: true,
  leads: true,
  cell: (row) => {
    const [now, before] = money(row);
    if (before === null) return null;
    return (
      <Change
        text={formatChange(now, before)}
        against={against(row)}
        none={now > 0 ? "new" : "–"}
        {...(good && { good })}
      />
    );
  },
  exact: (row) => {
    const [, before] = money(row);
    return before === null ? "" : `${METRIC_WORDS.revenue.exact(before)} before`;
  },
});
