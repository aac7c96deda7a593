import {
  type FinanceReport,
  REPORT_FIGURES,
  REPORT_HEADS,
  type ReportFigure,
  type ReportHint,
  type ReportProviderHint,
  type ReportRow,
  reportRows,
} from "@millrace/contract";
import {
  changeOfBalance,
  formatBalance,
  formatDay,
  formatMoneyExact,
  formatMoneyTo,
  formatSigned,
  moneyDecimals,
} from "@millrace/units";
import { type ReactNode, useId, useState } from "react";
import { ChevronIcon } from "../../ui/icons.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import classes from "./report-page.module.css";

/** The newest days are shown first. */
const FIRST_ROWS = 14;

const HINTED = ["provider_corrections", "bonuses", "corrections"] as const satisfies ReportFigure[];
type Hinted = (typeof HINTED)[number];
/** Figures that are zero on most days; their zeros are empty cells. */
const RARE = [...HINTED, "paid_out"] as const satisfies ReportFigure[];
const isRare = (id: ReportFigure): boolean => RARE.some((rare) => rare === id);

type AnyHint = ReportHint | ReportProviderHint;

/** What moved the balance on each day, the newest first. A figure with reasons opens them below its row. */
export function ReportTable({ report }: { report: FinanceReport }) {
  const id = useId();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const { rows, total } = reportRows(report);
  const keyOf = (date: string | null, figure: Hinted) => `${id} ${figure} ${date}`.replaceAll(" ", "-");
  const hintsOf = (date: string | null, figure: Hinted): readonly AnyHint[] =>
    report[figure].find((day) => day.date === date)?.hints ?? [];
  const toggle = (key: string) =>
    setOpened(opened.includes(key) ? opened.filter((one) => one !== key) : [...opened, key]);
  // Under a filter, only what names an app or a provider is left.
  const figures = REPORT_FIGURES.filter(
    (figure) =>
      report.opening !== null ||
      !isRare(figure) ||
      HINTED.some((one) => one === figure && report[one].length > 0) ||
      rows.some((row) => row[figure] !== 0),
  );
  const columns: Column<ReportRow>[] = [
    { id: "date", head: "Date (UTC)", cell: ({ date }) => (date === null ? totalName(rows.length) : formatDay(date)) },
    ...figures.map((figure) => {
      const column = figureColumn(figure, [...rows, total]);
      const hinted = HINTED.find((one) => one === figure);
      return hinted === undefined
        ? column
        : withReasons(column, ({ date }) => {
            const key = keyOf(date, hinted);
            return hintsOf(date, hinted).length === 0
              ? undefined
              : { id: key, isOpen: opened.includes(key), onToggle: () => toggle(key) };
          });
    }),
    ...(report.opening === null ? [] : [balanceColumn(rows)]),
  ];
  return (
    <DataTable
      cards
      caption="Finance report by day"
      columns={columns}
      rows={rows.toReversed()}
      rowId={({ date }) => date ?? ""}
      total={total}
      fold={{ rows: FIRST_ROWS, more: (hidden) => `${hidden} earlier days`, fewer: "Show fewer" }}
      below={({ date }) => {
        const open = HINTED.filter((figure) => opened.includes(keyOf(date, figure)));
        if (open.length === 0) return null;
        return open.map((figure) => (
          <Reasons
            key={figure}
            id={keyOf(date, figure)}
            label={`${REPORT_HEADS[figure]} of ${formatDay(date ?? "")}`}
            hints={hintsOf(date, figure)}
          />
        ));
      }}
    />
  );
}

const totalName = (days: number): string => (days > 1 ? `Total, ${days} days` : "Total");

/** A figure of every row. All figures of a column have the same decimals. */
function figureColumn(figure: ReportFigure, all: readonly ReportRow[]): Column<ReportRow> {
  const decimals = moneyDecimals(all.map((row) => row[figure]));
  const write = (micros: number, format: (micros: number) => string) =>
    figure === "revenue" ? format(micros) : formatSigned(micros, format);
  return {
    id: figure,
    head: REPORT_HEADS[figure],
    numeric: true,
    leads: figure === "change",
    cell: (row) =>
      isRare(figure) && row[figure] === 0
        ? null
        : write(figure === "change" && decimals === 2 ? changeIn(row) : row[figure], (micros) =>
            formatMoneyTo(micros, decimals),
          ),
    exact: (row) => write(row[figure], formatMoneyExact),
  };
}

/** The total change is the one between the balances that are shown, as beside them. */
const changeIn = ({ date, change, balance }: ReportRow): number =>
  date === null && balance !== null ? changeOfBalance(balance - change, balance) : change;

function balanceColumn(rows: readonly ReportRow[]): Column<ReportRow> {
  const decimals = moneyDecimals(rows.map(({ balance }) => balance));
  return {
    id: "balance",
    head: "Balance after",
    numeric: true,
    cell: ({ balance }) => (decimals > 2 ? formatMoneyTo(balance, decimals) : formatBalance(balance)),
    exact: ({ balance }) => formatMoneyExact(balance),
  };
}

interface Opener {
  /** Of the reasons. */
  id: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** The column with a button in each cell that has reasons. */
const withReasons = (
  column: Column<ReportRow>,
  openerOf: (row: ReportRow) => Opener | undefined,
): Column<ReportRow> => ({
  ...column,
  cell: (row) => {
    const opener = openerOf(row);
    // Reasons can cancel each other out.
    const figure = column.cell(row) ?? "$0.00";
    return opener ? <Opens {...opener}>{figure}</Opens> : column.cell(row);
  },
});

const Opens = ({ id, isOpen, onToggle, children }: Opener & { children: ReactNode }) => (
  <button
    type="button"
    className={classes.reasons}
    aria-expanded={isOpen}
    aria-controls={isOpen ? id : undefined}
    onClick={onToggle}
  >
    <ChevronIcon />
    {children}
    <span className="visually-hidden">, why</span>
  </button>
);

interface ReasonsProps {
  id: string;
  label: string;
  hints: readonly AnyHint[];
}

/** What a figure is made of: each amount with its reason, and of whose traffic it is. */
const Reasons = ({ id, label, hints }: ReasonsProps) => (
  <ul id={id} className={classes.hints} aria-label={label}>
    {hints.map((hint) => (
      <li key={JSON.stringify(hint)}>
        <b>{formatSigned(hint.amount, formatMoneyExact)}</b> {hint.reason}
        {"provider" in hint ? <span>{trafficOf(hint)}</span> : null}
      </li>
    ))}
  </ul>
);

const trafficOf = ({ name, day }: ReportProviderHint): string =>
  day === null ? name : `${name}, traffic of ${formatDay(day)}`;
