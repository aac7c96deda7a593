import {
  type BodyInput,
  type LineError,
  RESTATED_CAUSES,
  type Reply,
  type RestatedCause,
  type StatedDay,
  type StatementCheck,
  type importStatement,
} from "@millrace/contract";
import { formatCount, formatDay, formatDayRange, formatMoney, formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { APP_COLUMN } from "../../../shared/apps/app-column.tsx";
import { ApiError, messageOf } from "../../../shared/call-api.ts";
import { signedDifference } from "../../../shared/revenue/signed-money.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { useImportStatement } from "../api.ts";
import { restatedWords } from "./restated-words.ts";
import classes from "./parts.module.css";

interface StatementConfirmProps {
  check: StatementCheck;
  body: Omit<BodyInput<typeof importStatement>, "cause">;
  onDone: (reply: Reply<typeof importStatement>) => void;
}

/** What is wrong with a file, line by line; or what it would change, and the button that books it. */
export const StatementConfirm = (props: StatementConfirmProps) =>
  props.check.errors_count > 0 ? <Faults check={props.check} /> : <Changes {...props} />;

const Faults = ({ check: { errors, errors_count: count, lines } }: { check: StatementCheck }) => (
  <Panel
    title="Nothing can be booked yet"
    aside={`${count} ${count === 1 ? "fault" : "faults"} in ${lines} readable ${lines === 1 ? "line" : "lines"}`}
  >
    <DataTable
      caption="Faults by line"
      columns={FAULT_COLUMNS}
      rows={errors}
      rowId={({ line, field, message }) => `${line} ${field} ${message}`}
      cards
    />
    <p className={classes.under}>
      {count > errors.length ? `These are the first ${errors.length}. ` : ""}A statement is booked as a whole: correct
      how it is read, or the file.
    </p>
  </Panel>
);

const FAULT_COLUMNS: Column<LineError>[] = [
  { id: "line", head: "Line", cell: ({ line }) => line, leads: true },
  { id: "field", head: "Column", cell: ({ field }) => field },
  { id: "message", head: "What is wrong", cell: ({ message }) => message },
];

function Changes({ check, body, onDone }: StatementConfirmProps) {
  const book = useImportStatement();
  const [cause, setCause] = useState("");
  const [error, setError] = useState<string>();
  const { first_day: ds, last_day: de, reported, estimated, added, restated, unchanged, days } = check;
  const restatedBy = days.reduce((sum, day) => sum + day.reported - (day.before ?? day.reported), 0);
  const confirm = () => {
    setError(undefined);
    book.mutate(
      { ...body, cause: cause === "" ? null : (cause as RestatedCause) },
      {
        onSuccess: onDone,
        onError: (failure) =>
          setError(failure instanceof ApiError ? (failure.fields["cause"] ?? messageOf(failure)) : messageOf(failure)),
      },
    );
  };
  return (
    <Panel title="What it would change" aside={ds && de ? formatDayRange({ ds, de }) : undefined}>
      <dl className={classes.sums}>
        <div>
          <dt>Reported</dt>
          <dd title={formatMoneyExact(reported)}>{formatMoney(reported)}</dd>
        </div>
        <div>
          <dt>Estimated by our auctions</dt>
          <dd title={formatMoneyExact(estimated)}>{formatMoney(estimated)}</dd>
        </div>
        <div>
          <dt>Difference</dt>
          <dd title={formatMoneyExact(reported - estimated)}>
            {reported === estimated ? "none" : signedDifference(estimated, reported)}
          </dd>
        </div>
        <div>
          <dt>Days of apps</dt>
          <dd>
            {added} added, {restated} restated, {unchanged} unchanged
          </dd>
        </div>
      </dl>
      {days.length === 0 ? (
        <EmptyNote title="Nothing would change" why="The partner has stated all of it before." />
      ) : (
        <DataTable
          caption="What would change"
          columns={DAY_COLUMNS}
          rows={days}
          rowId={({ day, app }) => `${day} ${app.uuid}`}
          fold={{ rows: 10, more: (hidden) => `${hidden} more`, fewer: "Show fewer" }}
          cards
        />
      )}
      <div className={classes.confirm}>
        {restated === 0 ? null : (
          <SelectField
            name="cause"
            label="Why it differs from the earlier statement"
            value={cause}
            error={undefined}
            placeholder="Choose the cause"
            options={RESTATED_CAUSES.map((value) => ({ value, label: restatedWords(value, restatedBy) }))}
            onChange={setCause}
          />
        )}
        <WorkButton working={book.isPending} onClick={confirm}>
          Book the statement
        </WorkButton>
        <p role="alert" className={classes.failed}>
          {error}
        </p>
      </div>
      <p className={classes.under}>
        Nobody’s balance changes: the difference is the platform’s until a shortfall is passed on.
      </p>
    </Panel>
  );
}

const DAY_COLUMNS: Column<StatedDay>[] = [
  { id: "day", head: "Day", whole: true, cell: ({ day }) => formatDay(day) },
  APP_COLUMN,
  { id: "impressions", head: "Impressions", numeric: true, cell: ({ impressions }) => formatCount(impressions) },
  {
    id: "before",
    head: "Stated before",
    numeric: true,
    cell: ({ before }) => (before === null ? "–" : formatMoney(before)),
  },
  {
    id: "reported",
    head: "Reported",
    numeric: true,
    leads: true,
    cell: ({ reported }) => formatMoney(reported),
    exact: ({ reported }) => formatMoneyExact(reported),
  },
  {
    id: "estimated",
    head: "Estimated",
    numeric: true,
    cell: ({ estimated }) => formatMoney(estimated),
    exact: ({ estimated }) => formatMoneyExact(estimated),
  },
];
