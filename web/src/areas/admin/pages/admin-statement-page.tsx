import { type AdminStatement, loadingText } from "@millrace/contract";
import {
  MICROS_PER_CENT,
  formatCount,
  formatDay,
  formatDayRange,
  formatMoney,
  formatMoneyExact,
} from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { APP_COLUMN } from "../../../shared/apps/app-column.tsx";
import { formatMoment } from "../../../shared/day-text.ts";
import { ListPager } from "../../../shared/list-pager.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { signedMoney } from "../../../shared/revenue/signed-money.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { statementQuery } from "../api.ts";
import { restatedWords } from "../parts/restated-words.ts";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import { ReverseLinks, isExcess } from "../parts/excesses.tsx";
import { PassOnForm, type StatementDay } from "../parts/pass-on-form.tsx";
import classes from "../parts/parts.module.css";
import { useListQuery } from "../use-list-query.ts";

const DIALOG_WIDTH = 480;

/** An imported statement: how it was read, what it changed, and which shortfalls can be passed on. */
export function AdminStatementPage() {
  const { uuid = "" } = useParams({ strict: false });
  const { params: address, page } = useListQuery();
  const statement = useQuery(statementQuery(uuid, address.p));
  const { subject, opened, open, close } = useDialog<StatementDay>();
  const columns = useMemo(() => columnsWith(open), [open]);
  return (
    <>
      <PageTitle text="Statement" />
      <div className={classes.bar}>
        <AdminTabs />
        <Link to={PATHS.adminStatements} activeOptions={{ exact: true }}>
          All statements
        </Link>
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title={statement.data?.statement.partner_name ?? "Statement"}
          aside={statement.data?.statement.file_name}
          query={statement}
          loading={loadingText("statement")}
          skeleton={<TableSkeleton rows={2} columns={4} />}
        >
          {(data) => <Facts statement={data.statement} />}
        </LoadedBlock>
        <LoadedBlock
          title="What it changed"
          aside="What is left to pass on first, the most on top"
          query={statement}
          loading={loadingText("days")}
          skeleton={<TableSkeleton rows={8} columns={columns.length} />}
          isEmpty={({ days }) => days.length === 0}
          empty={<EmptyNote title="It changed nothing" why="The partner had stated all of it before." />}
        >
          {({ days, pager }) => (
            <>
              {days.some(({ time_zone: micros }) => micros !== 0) ? (
                <p className={classes.about}>
                  What the partner’s time zone moves from a day is on the neighbouring days: the partner owes it all the
                  same, so it is no shortfall and cannot be passed on.
                </p>
              ) : null}
              <DataTable
                caption="Days of apps"
                columns={columns}
                rows={days}
                rowId={({ day, app }) => `${day} ${app.uuid}`}
                cards
              />
              <ListPager pager={pager} onPage={page} />
            </>
          )}
        </LoadedBlock>
      </div>
      <Modal opened={opened} onClose={close} title="Pass on a shortfall" width={DIALOG_WIDTH}>
        {subject ? <PassOnForm statement={uuid} day={subject} onDone={close} /> : null}
      </Modal>
    </>
  );
}

function Facts({ statement }: { statement: AdminStatement["statement"] }) {
  const {
    first_day: ds,
    last_day: de,
    added,
    restated,
    unchanged,
    cause,
    currency,
    rate,
    shown_rate: shown,
  } = statement;
  const facts = [
    ["Reported", formatMoney(statement.reported)],
    ["Changed by", statement.changed_by === 0 ? "nothing" : signedMoney(statement.changed_by)],
    ["Days", `${formatDayRange({ ds, de })}, ${statement.time_zone}`],
    ["Days of apps", `${added} added, ${restated} restated, ${unchanged} unchanged`],
    ...(cause === null ? [] : [["Why restated", restatedWords(cause, statement.restated_by)]]),
    ["Currency", rate === null ? currency : `${currency} at ${rate}${shown === null ? "" : `, ${shown} when shown`}`],
    ["Imported (UTC)", `${formatMoment(statement.imported_at)} by ${statement.imported_by ?? "a deleted person"}`],
  ];
  return (
    <dl className={classes.sums}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is left to pass on. A part of a cent, as rounding leaves it, is not worth a deduction. */
function leftOf({ shortfall, passed_on: passedOn }: StatementDay): number {
  const left = shortfall - passedOn;
  return left < MICROS_PER_CENT ? 0 : left;
}

const money = (id: string, head: string, of: (day: StatementDay) => number | null): Column<StatementDay> => ({
  id,
  head,
  numeric: true,
  cell: (day) => formatMoney(of(day)),
  exact: (day) => formatMoneyExact(of(day)),
});

const Shortfall = ({ shortfall, time_zone: moved }: StatementDay) =>
  moved === 0 ? (
    formatMoney(shortfall)
  ) : (
    <NameOverLine name={formatMoney(shortfall)} line={`${signedMoney(moved)} by time zone`} />
  );

const columnsWith = (onPassOn: (day: StatementDay) => void): Column<StatementDay>[] => [
  { id: "day", head: "Day", whole: true, cell: ({ day }) => formatDay(day), exact: ({ day }) => day },
  APP_COLUMN,
  { id: "impressions", head: "Impressions", numeric: true, cell: ({ impressions }) => formatCount(impressions) },
  money("before", "Stated before", ({ before }) => before),
  { ...money("reported", "Reported", ({ reported }) => reported), leads: true },
  money("estimated", "Estimated", ({ estimated }) => estimated),
  { ...money("shortfall", "Publisher's shortfall", ({ shortfall }) => shortfall), cell: Shortfall },
  money("passed_on", "Passed on", ({ passed_on: passedOn }) => passedOn),
  actionsColumn((day) =>
    isExcess(day) ? (
      <ReverseLinks {...day} />
    ) : leftOf(day) === 0 ? null : (
      <RowAction label="Pass on" of={`${day.app.name}, ${formatDay(day.day)}`} onClick={() => onPassOn(day)} />
    ),
  ),
];
