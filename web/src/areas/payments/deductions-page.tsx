import {
  DEDUCTION_FILTERS,
  DEDUCTION_REASON_LABELS,
  DISPUTE_DAYS,
  type Deduction,
  type DeductionFilter,
  deductions,
  loadingText,
  notFoundText,
} from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useMemo } from "react";
import { APP_COLUMN } from "../../shared/apps/app-column.tsx";
import { callApi } from "../../shared/call-api.ts";
import { deductionName, stateWords } from "../../shared/deductions/deduction-words.ts";
import { type Search, oneOf, readSearched } from "../../shared/filters/address.ts";
import { useAddress } from "../../shared/filters/use-address.ts";
import { HelpLink } from "../../shared/help-link.tsx";
import { useMayUse } from "../../shared/session.ts";
import { useDialog } from "../../ui/modal/use-dialog.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { ListPager } from "../../shared/list-pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segments.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../ui/table/row-actions.tsx";
import balance from "./balance-page.module.css";
import classes from "./deductions-page.module.css";

const DeductionDialog = lazy(async () => ({ default: (await import("./deduction-dialog.tsx")).DeductionDialog }));

const REFRESH_MS = 30_000;
const SKELETON_COLUMNS = 7;

const deductionsQuery = (query: { p: number; state: DeductionFilter }) =>
  queryOptions({
    queryKey: ["deductions", query],
    queryFn: ({ signal }) => callApi(deductions, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });

interface Address {
  p: number | undefined;
  state: Exclude<DeductionFilter, "all"> | undefined;
}

function readAddress(search: Search): Address {
  const state = oneOf(DEDUCTION_FILTERS, search["state"], "all");
  return { p: readSearched(search).p || undefined, state: state === "all" ? undefined : state };
}

const FILTER_LABELS = { all: "All", open: "Open", closed: "Closed" } as const satisfies Record<DeductionFilter, string>;
const WHY_EMPTY = {
  all: "Nothing has been deducted from your balance.",
  open: "No deduction can be disputed or waits for an answer.",
  closed: "No deduction has been answered, or is past its last day to dispute.",
} as const satisfies Record<DeductionFilter, string>;

interface Act {
  deduction: Deduction;
  disputes: boolean;
}

/** What was taken from the balance and why; each deduction can be disputed once. */
export function DeductionsPage() {
  const [{ p = 0, state = "all" }, change] = useAddress(readAddress);
  const list = useQuery(deductionsQuery({ p, state }));
  const mayDispute = useMayUse()("deductions.dispute");
  const { subject, opened, open, close } = useDialog<Act>();
  const columns = useMemo(() => columnsOf(mayDispute, open), [mayDispute, open]);
  return (
    <>
      <PageTitle text="Deductions" />
      <div className={balance.page}>
        <Panel title="What deductions are">
          <p className={balance.about}>
            Money is taken from your balance when traffic turns out to be invalid, or when a partner pays less than was
            counted. Each deduction says why. If you think that one is wrong, dispute it within {DISPUTE_DAYS} days: a
            person looks at it again and answers.
          </p>
        </Panel>
        <LoadedBlock
          title="Deductions"
          repeatsHeading
          aside={
            <Aside
              sums={list.data}
              state={state}
              onState={(next) => change({ state: next === "all" ? undefined : next, p: undefined })}
            />
          }
          query={list}
          loading={loadingText("deductions")}
          skeleton={<TableSkeleton rows={6} columns={SKELETON_COLUMNS} />}
          isEmpty={({ deductions: rows }) => rows.length === 0}
          empty={
            <EmptyNote
              title={notFoundText("deductions")}
              why={WHY_EMPTY[state]}
              action={<HelpLink to="publishers/money#deductions">What deductions are</HelpLink>}
            />
          }
        >
          {({ deductions: rows, pager }) => (
            <>
              <DataTable caption="List of deductions" columns={columns} rows={rows} rowId={({ uuid }) => uuid} cards />
              <ListPager pager={pager} onPage={(page) => change({ p: page || undefined })} />
            </>
          )}
        </LoadedBlock>
      </div>
      {subject ? (
        <Suspense>
          <DeductionDialog subject={subject} opened={opened} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

interface AsideProps {
  sums: { held_back: number; given_back: number } | undefined;
  state: DeductionFilter;
  onState: (state: DeductionFilter) => void;
}

/** The sums of all deductions, and which of them are listed. */
function Aside({ sums, state, onState }: AsideProps) {
  return (
    <div className={classes.aside}>
      {sums ? (
        <span>
          Held back {formatMoneyExact(sums.held_back)}, given back {formatMoneyExact(sums.given_back)}
        </span>
      ) : null}
      <Segments
        small
        label="State"
        options={DEDUCTION_FILTERS.map((id) => ({ id, label: FILTER_LABELS[id] }))}
        chosen={state}
        onChoose={onState}
      />
    </div>
  );
}

const columnsOf = (mayDispute: boolean, onAct: (act: Act) => void): Column<Deduction>[] => [
  { id: "day", head: "Day (UTC)", whole: true, cell: ({ day }) => formatDay(day), exact: ({ day }) => day },
  { id: "what", head: "What for", cell: WhatFor },
  APP_COLUMN,
  { id: "partner", head: "Partner", cell: ({ provider_name }) => provider_name ?? "–" },
  {
    id: "state",
    head: "State",
    cell: State,
    exact: ({ noted_at }) => `noted ${noted_at}`,
  },
  {
    id: "amount",
    head: "Amount",
    numeric: true,
    leads: true,
    cell: ({ amount }) => formatMoneyExact(amount),
  },
  actionsColumn((deduction) => (
    <>
      {mayDispute && deduction.can_dispute ? (
        <RowAction
          label="Dispute"
          of={deductionName(deduction)}
          primary
          onClick={() => onAct({ deduction, disputes: true })}
        />
      ) : null}
      <RowAction label="Details" of={deductionName(deduction)} onClick={() => onAct({ deduction, disputes: false })} />
    </>
  )),
];

/** What became of it, with the last day to dispute one that nobody has disputed. */
const State = (deduction: Deduction) => (
  <span className={classes.state}>
    {stateWords(deduction)}
    {deduction.state === "noted" ? <small> until {formatDay(deduction.dispute_until)}</small> : null}
  </span>
);

function WhatFor({ reason, explanation }: Deduction) {
  return (
    <span className={classes.what}>
      {DEDUCTION_REASON_LABELS[reason]}
      <small>{explanation}</small>
    </span>
  );
}
