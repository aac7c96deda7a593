import { type Books, type DriftKind, loadingText, notFoundText } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { dayText, formatMoment } from "../../../shared/day-text.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { booksQuery, useCheckBooks } from "../api.ts";
import { AcceptDriftForm, type Drift } from "../parts/accept-drift-form.tsx";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import classes from "../parts/parts.module.css";

type Day = Books["days"][number];

const DRIFT_WORDS = {
  revenue: "A publisher's revenue",
  gross: "What was paid for a publisher's ads",
  costs: "What an advertiser's ads cost",
  spend: "What an advertiser's campaigns have spent",
} as const satisfies Record<DriftKind, string>;

/** What the ledger holds of the last days beside what single events say, and every difference between them. */
export function AdminBooksPage() {
  const books = useQuery(booksQuery);
  const check = useCheckBooks();
  const { tell } = useNotify();
  const { subject, opened, open, close } = useDialog<Drift>();
  const driftColumns = useMemo(() => driftColumnsWith(open), [open]);
  const checkAgain = () =>
    check.mutate(undefined, {
      onSuccess: () => tell("The books are being checked. The result shows up here within a minute."),
      onError: ({ message }) => tell(message, "failed"),
    });
  return (
    <>
      <PageTitle text="Books" />
      <div className={classes.bar}>
        <AdminTabs />
        <WorkButton size="xs" variant="default" working={check.isPending} onClick={checkAgain}>
          Check again
        </WorkButton>
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title="Differences"
          aside={(data) => data?.checked_at && `Counted ${formatMoment(data.checked_at)} UTC`}
          query={books}
          loading={loadingText("differences")}
          skeleton={<TableSkeleton rows={2} columns={5} />}
          isEmpty={({ drifts }) => drifts.length === 0}
          empty={<NoDifference books={books.data} />}
        >
          {({ drifts }) => (
            <>
              <DataTable
                caption="Differences between ledger and events"
                columns={driftColumns}
                rows={drifts}
                rowId={({ id }) => id}
                cards
              />
              <p className={classes.under}>
                Nothing is paid out to the accounts of open differences until their books agree again, or you accept the
                difference. Days before the last thirty are counted again while they differ, as long as their events are
                kept.
              </p>
            </>
          )}
        </LoadedBlock>
        <LoadedBlock
          title="Days"
          aside={(data) => (data?.booked_until ? `Booked up to ${dayText(data.booked_until)}` : undefined)}
          query={books}
          loading={loadingText("days")}
          skeleton={<TableSkeleton rows={8} columns={6} />}
          isEmpty={({ days }) => days.length === 0}
          empty={<EmptyNote title={notFoundText("days")} why="A day is booked and counted once it is over (UTC)." />}
        >
          {({ days }) => <DataTable caption="Days" columns={DAY_COLUMNS} rows={days} rowId={({ day }) => day} cards />}
        </LoadedBlock>
      </div>
      <Modal opened={opened} onClose={close} title="Accept a difference">
        {subject ? <AcceptDriftForm drift={subject} about={aboutOf(subject)} onDone={close} /> : null}
      </Modal>
    </>
  );
}

function NoDifference({ books }: { books: Books | undefined }) {
  const days = books?.days.length ?? 0;
  return books?.checked_at === null ? (
    <EmptyNote
      title="Nothing has been counted yet"
      why="The first count follows the platform's start by some minutes."
    />
  ) : (
    <EmptyNote
      title={days === 0 ? "Nothing is booked yet" : "The books agree with the events"}
      why={
        days === 0
          ? "A day is booked once it is over (UTC), and then compared with its events."
          : `Publishers' revenue, fees and advertisers' costs of the last ${days === 1 ? "day" : `${days} days`} are booked as the single events say, to the micro-dollar.`
      }
    />
  );
}

const money = <Row,>(id: string, head: string, of: (row: Row) => number): Column<Row> => ({
  id,
  head,
  numeric: true,
  cell: (row) => formatMoney(of(row)),
  exact: (row) => formatMoneyExact(of(row)),
});

const DAY_COLUMNS: Column<Day>[] = [
  { id: "day", head: "Day (UTC)", whole: true, cell: ({ day }) => dayText(day), leads: true, exact: ({ day }) => day },
  money("gross", "Paid for ads", ({ booked }) => booked.gross),
  money("revenue", "Publishers' revenue", ({ booked }) => booked.revenue),
  money("fee", "Our fee", ({ booked }) => booked.gross - booked.revenue),
  money("counted", "Counted from events", ({ counted }) => counted.gross),
  {
    id: "agrees",
    head: "Difference",
    numeric: true,
    cell: (day) => differenceOf(day),
    exact: (day) => differenceOf(day),
  },
];

/** Gross and revenue may differ in opposite directions, so each counts by itself. */
function differenceOf({ counted, booked }: Day): string {
  const off = Math.abs(booked.gross - counted.gross) + Math.abs(booked.revenue - counted.revenue);
  return off === 0 ? "none" : formatMoneyExact(off);
}

const aboutOf = ({ day, account, what, counted, booked }: Drift): string =>
  `${DRIFT_WORDS[what]} on ${dayText(day)} (UTC), of ${account ?? "a deleted account"}: ${formatMoneyExact(counted)} counted, ${formatMoneyExact(booked)} booked.`;

const driftColumnsWith = (onAccept: (drift: Drift) => void): Column<Drift>[] => [
  { id: "day", head: "Day (UTC)", whole: true, cell: ({ day }) => dayText(day), leads: true, exact: ({ day }) => day },
  { id: "account", head: "Account", cell: ({ account }) => account ?? "a deleted account" },
  { id: "what", head: "What", cell: ({ what }) => DRIFT_WORDS[what] },
  { ...money<Drift>("counted", "Counted", ({ counted }) => counted), cell: ({ counted }) => formatMoneyExact(counted) },
  { ...money<Drift>("booked", "Booked", ({ booked }) => booked), cell: ({ booked }) => formatMoneyExact(booked) },
  {
    ...money<Drift>("difference", "Difference", ({ counted, booked }) => booked - counted),
    cell: ({ counted, booked }) => formatMoneyExact(booked - counted),
  },
  {
    id: "state",
    head: "State",
    cell: ({ accepted }) => (accepted === null ? "open" : `accepted: ${accepted.reason}`),
    exact: ({ accepted }) =>
      accepted === null ? "" : `${formatMoment(accepted.at)} UTC by ${accepted.by ?? "a deleted person"}`,
  },
  actionsColumn((drift) =>
    drift.accepted === null ? (
      <RowAction
        label="Accept"
        of={`${drift.account ?? "a deleted account"}, ${dayText(drift.day)}, ${DRIFT_WORDS[drift.what]}`}
        onClick={() => onAccept(drift)}
      />
    ) : null,
  ),
];
