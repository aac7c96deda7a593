import { REVENUE_GROUPS, type ReportedCause, type RevenueGroup, type RevenueRow } from "@millrace/contract";
import { formatChange, formatDay, formatMoney, formatMoneyExact, formatMonth } from "@millrace/units";
import type { ReactNode } from "react";
import { SelectField } from "../../ui/form/select-field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { signedDifference, signedMoney } from "./signed-money.ts";
import { type Search, oneOf } from "../filters/address.ts";
import classes from "./revenue.module.css";

/** Which month, and what its rows are, as in the address. */
export interface RevenueAddress {
  month: string | undefined;
  by: RevenueGroup | undefined;
}

export function readRevenueAddress(search: Search): RevenueAddress {
  const month = search["month"];
  const by = oneOf(REVENUE_GROUPS, search["by"], "partner");
  return {
    month: typeof month === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    by: by === "partner" ? undefined : by,
  };
}

const GROUP_LABELS = { partner: "Partners", app: "Apps", day: "Days" } as const satisfies Record<RevenueGroup, string>;
const GROUP_HEADS = { partner: "Partner", app: "App", day: "Day (UTC)" } as const satisfies Record<
  RevenueGroup,
  string
>;

/** Chooses among the months with anything earned. */
export const MonthChoice = ({
  month,
  months,
  onChoose,
}: {
  month: string;
  months: readonly string[];
  onChoose: (month: string) => void;
}) => (
  <div className={classes.month}>
    <SelectField
      name="month"
      label="Month"
      value={month}
      error={undefined}
      options={[...new Set([month, ...months])]
        .toSorted((one, other) => (one < other ? 1 : -1))
        .map((value) => ({ value, label: formatMonth(value) }))}
      onChange={onChoose}
    />
  </div>
);

interface RevenueTableProps {
  rows: readonly RevenueRow[];
  by: RevenueGroup;
  onGroup: (by: RevenueGroup) => void;
  /** Turns a row's name into a link to what it is made of. */
  lead: (row: RevenueRow, name: string) => ReactNode;
  /** Days before the table folds. */
  fold?: number;
}

const FOLD_ROWS = 8;

/** The three numbers of a month's traffic, by partner, app or day. */
export function RevenueTable({ rows, by, onGroup, lead, fold = FOLD_ROWS }: RevenueTableProps) {
  const columns: Column<RevenueRow>[] = [
    {
      id: "name",
      head: GROUP_HEADS[by],
      cell: (row) => (row.deleted ? `${row.name} (deleted)` : lead(row, by === "day" ? formatDay(row.name) : row.name)),
    },
    money("estimated", "Estimated", ({ estimated }) => estimated),
    {
      id: "reported",
      head: "Reported",
      numeric: true,
      leads: true,
      cell: (row) => (isUnreported(row) ? "not yet" : formatMoney(row.reported)),
      exact: ({ reported }) => formatMoneyExact(reported),
    },
    {
      id: "difference",
      head: "Difference",
      numeric: true,
      cell: differenceOf,
      exact: ({ estimated, reported }) => formatMoneyExact(reported - estimated),
    },
    {
      id: "unexplained",
      head: "Unexplained",
      numeric: true,
      cell: (row) => (isUnreported(row) ? "–" : unexplainedOf(row) === 0 ? "none" : signedMoney(unexplainedOf(row))),
      exact: (row) => formatMoneyExact(unexplainedOf(row)),
    },
    money("paid", "Paid", ({ paid }) => paid),
  ];
  return (
    <div className={classes.table}>
      <div>
        <Segments
          label="Rows"
          small
          options={REVENUE_GROUPS.map((id) => ({ id, label: GROUP_LABELS[id] }))}
          chosen={by}
          onChoose={onGroup}
        />
      </div>
      <DataTable
        caption={`Three numbers by ${by}`}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        fold={{ rows: fold, more: (hidden) => `${hidden} more`, fewer: "Show fewer" }}
        cards
      />
    </div>
  );
}

const amountOf = ({ to_reported: steps }: RevenueRow, wanted: ReportedCause): number =>
  steps.find(({ cause }) => cause === wanted)?.amount ?? 0;

const unexplainedOf = (row: RevenueRow): number => amountOf(row, "unexplained");

/** Whether no partner's statement says anything of it, so that there is nothing to compare yet. */
const isUnreported = (row: RevenueRow): boolean =>
  row.estimated !== 0 && amountOf(row, "not_reported") === -row.estimated;

function differenceOf(row: RevenueRow): string {
  const { estimated, reported } = row;
  if (isUnreported(row)) return "–";
  if (estimated === reported) return "none";
  return `${signedDifference(estimated, reported)} (${formatChange(reported, estimated) ?? "–"})`;
}

const money = (id: string, head: string, of: (row: RevenueRow) => number): Column<RevenueRow> => ({
  id,
  head,
  numeric: true,
  cell: (row) => formatMoney(of(row)),
  exact: (row) => formatMoneyExact(of(row)),
});
