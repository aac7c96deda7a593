import type { AdminStatements } from "@millrace/contract";
import { MICROS_PER_CENT, formatDay, formatMoney, formatMoneyExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { APP_COLUMN } from "../../../shared/apps/app-column.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Panel } from "../../../ui/panel.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { actionsColumn } from "../../../ui/table/row-actions.tsx";
import { statementsQuery } from "../api.ts";
import { useListQuery } from "../use-list-query.ts";
import classes from "./parts.module.css";

type Excess = AdminStatements["excesses"][number];
type PassedOn = Pick<Excess, "day" | "app" | "shortfall" | "passed_on" | "deductions">;

/** Whether more was passed on than is missing. A fraction of a cent left by rounding does not count. */
export const isExcess = ({ shortfall, passed_on: passedOn }: PassedOn): boolean =>
  passedOn - shortfall >= MICROS_PER_CENT;

/** Lead to a day's deductions, where they are reversed. */
export const ReverseLinks = ({ day, app, deductions }: PassedOn) =>
  deductions.map((uuid) => (
    <Link
      key={uuid}
      to={PATHS.adminDeductions}
      search={{ search: uuid }}
      aria-label={`Reverse the deduction from ${app.name}, ${formatDay(day)}`}
    >
      Reverse
    </Link>
  ));

/** Days whose deductions no longer hold, because a later statement says that the partner owes more. Renders nothing if none. */
export function Excesses() {
  const { params } = useListQuery();
  // What the list beside it asks for.
  const { data } = useQuery(statementsQuery(params));
  const excesses = data?.excesses ?? [];
  if (excesses.length === 0) return null;
  return (
    <Panel title="Deducted, and owed after all">
      <p className={classes.about}>
        The partner now owes more for these days, so publishers were charged too much. Reverse the deductions that no
        longer hold: what is still missing can be passed on again.
      </p>
      <DataTable
        caption="Days with more passed on than is missing"
        columns={COLUMNS}
        rows={excesses}
        rowId={({ day, app, partner_name: partner }) => `${day} ${app.uuid} ${partner}`}
        cards
      />
    </Panel>
  );
}

const money = (id: string, head: string, of: (excess: Excess) => number): Column<Excess> => ({
  id,
  head,
  numeric: true,
  cell: (excess) => formatMoney(of(excess)),
  exact: (excess) => formatMoneyExact(of(excess)),
});

const COLUMNS: Column<Excess>[] = [
  { id: "day", head: "Day", whole: true, cell: ({ day }) => formatDay(day), exact: ({ day }) => day },
  APP_COLUMN,
  { id: "partner", head: "Partner", cell: ({ partner_name: partner }) => partner },
  money("shortfall", "Publisher's shortfall", ({ shortfall }) => shortfall),
  { ...money("passed_on", "Passed on", ({ passed_on: passedOn }) => passedOn), leads: true },
  actionsColumn((excess) => <ReverseLinks {...excess} />),
];
