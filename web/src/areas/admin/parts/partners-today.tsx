import type { PlatformFigures } from "@millrace/contract";
import {
  formatChange,
  formatCount,
  formatCountExact,
  formatMoney,
  formatMoneyExact,
  formatPercentExact,
  formatShare,
  percentOf,
} from "@millrace/units";
import { Change } from "../../../ui/number/change.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import classes from "./parts.module.css";

type Partner = PlatformFigures["partners"][number];
type Calls = Partner["calls"]["today"];

/** The partners that are asked; the others are folded away. */
export function PartnersToday({ partners }: { partners: readonly Partner[] }) {
  const [on, off] = [true, false].map((wanted) => partners.filter(({ active }) => active === wanted));
  return (
    <>
      <DataTable
        caption="Partners"
        columns={COLUMNS}
        rows={[...(on ?? []), ...(off ?? [])]}
        rowId={({ id }) => id}
        fold={{
          rows: on?.length ?? 0,
          more: (hidden) => `${hidden} partners that are off`,
          fewer: "Hide partners that are off",
        }}
        cards
      />
      <p className={classes.under}>Small figures are yesterday&apos;s, until the same time.</p>
    </>
  );
}

/** A figure of the calls, with yesterday's below it. */
function callsColumn(
  id: string,
  head: string,
  text: (calls: Calls) => string,
  exact: (calls: Calls) => string = text,
): Column<Partner> {
  return {
    id,
    head,
    numeric: true,
    cell: ({ calls: { today, yesterday } }) => (
      <span className={classes.pair}>
        {text(today)}
        <small>{text(yesterday)}</small>
      </span>
    ),
    exact: ({ calls: { today, yesterday } }) => `${exact(today)}. Yesterday ${exact(yesterday)}`,
  };
}

const msText = (ms: number | null): string => (ms === null ? "–" : `${Math.round(ms)} ms`);
const requestShareText = (count: number, { asked }: Calls, what: string): string =>
  `${formatCountExact(count)} ${what} of ${formatCountExact(asked)} requests, ${formatPercentExact(percentOf(count, asked))}`;

const COLUMNS: Column<Partner>[] = [
  {
    id: "partner",
    head: "Partner",
    cell: ({ name, active }) => (
      <>
        {name} {active ? null : <span className={classes.mark}>Off</span>}
      </>
    ),
  },
  {
    id: "revenue",
    head: "Publishers’ revenue",
    numeric: true,
    leads: true,
    cell: ({ revenue }) => formatMoney(revenue.today),
    exact: ({ revenue }) => formatMoneyExact(revenue.today),
  },
  {
    id: "change",
    head: "Change",
    numeric: true,
    leads: true,
    cell: ({ revenue }) => (
      <Change text={formatChange(revenue.today, revenue.yesterday)} against="yesterday until the same time" none="–" />
    ),
  },
  {
    id: "impressions",
    head: "Impressions",
    numeric: true,
    cell: ({ impressions }) => formatCount(impressions.today),
    exact: ({ impressions }) => formatCountExact(impressions.today),
  },
  {
    id: "asked",
    head: "Requests sent",
    numeric: true,
    cell: ({ asked }) => formatCount(asked),
    exact: ({ asked }) => formatCountExact(asked),
  },
  callsColumn(
    "bid_rate",
    "Bid rate",
    (calls) => formatShare(percentOf(calls.bids, calls.asked)),
    (calls) => requestShareText(calls.bids, calls, "bids"),
  ),
  callsColumn("p50", "p50", ({ p50_ms: ms }) => msText(ms)),
  callsColumn("p95", "p95", ({ p95_ms: ms }) => msText(ms)),
  callsColumn(
    "timeouts",
    "Timeouts",
    (calls) => formatShare(percentOf(calls.timeouts, calls.asked)),
    (calls) => requestShareText(calls.timeouts, calls, "timeouts"),
  ),
  callsColumn(
    "errors",
    "Errors",
    ({ errors }) => formatCount(errors),
    (calls) => requestShareText(calls.errors, calls, "errors"),
  ),
];
