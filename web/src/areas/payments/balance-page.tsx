import {
  type BalanceEntry,
  DEMO_MONEY,
  balanceHistory,
  campaignFunds,
  loadingText,
  notFoundText,
} from "@millrace/contract";
import {
  MICROS_PER_CENT,
  formatDay,
  formatDaysLeft,
  formatMoney,
  formatMoneyExact,
  formatSigned,
} from "@millrace/units";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { callApi } from "../../shared/call-api.ts";
import { dayText, formatMoment } from "../../shared/day-text.ts";
import { DemoMoney } from "../../shared/demo-money.tsx";
import { readPage } from "../../shared/filters/read-page.ts";
import { useAddress } from "../../shared/filters/use-address.ts";
import { PATHS } from "../../shared/paths.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { ListPager } from "../../shared/list-pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import classes from "./balance-page.module.css";
import { Invoices } from "./invoices.tsx";

const REFRESH_MS = 30_000;

const historyQuery = (p: number) =>
  queryOptions({
    queryKey: ["balance_history", p],
    queryFn: ({ signal }) => callApi(balanceHistory, { query: { p }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });

const fundsQuery = queryOptions({
  queryKey: ["campaign_funds"],
  queryFn: ({ signal }) => callApi(campaignFunds, { signal }),
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});

/** What moved the campaign balance, entry by entry; together they are the balance. */
export function BalancePage() {
  const [{ p = 0 }, change] = useAddress(readPage);
  const history = useQuery(historyQuery(p));
  return (
    <>
      <PageTitle text="Campaign balance" />
      <div className={classes.page}>
        <Panel title="How to refill">
          <p className={classes.about}>
            Campaigns spend what is on the balance and stop once it is used up. To refill it, contact support.
          </p>
          <Lasting />
          <div className={classes.demo}>{history.data && history.data.balance < DEMO_MONEY && <DemoMoney />}</div>
          <p className={classes.links}>
            <Link to={PATHS.support}>Contact support</Link>
            <Link to={PATHS.profile}>Be told before it runs out</Link>
          </p>
        </Panel>
        <LoadedBlock
          title="History"
          aside={(data) => (data ? `Balance ${formatMoney(data.balance)}` : undefined)}
          query={history}
          loading={loadingText("balance history")}
          skeleton={<TableSkeleton rows={6} columns={COLUMNS.length} />}
          isEmpty={({ history: entries }) => entries.length === 0}
          empty={
            <EmptyNote
              title={notFoundText("balance history")}
              why="The first entry is your first refill. What your campaigns spend follows by day."
            />
          }
        >
          {({ history: entries, pager }) => (
            <>
              <DataTable
                caption="Balance history"
                columns={COLUMNS}
                rows={entries}
                rowId={({ ctime, type, day }) => `${ctime} ${type} ${day}`}
                cards
              />
              <ListPager pager={pager} onPage={(page) => change({ p: page || undefined })} />
            </>
          )}
        </LoadedBlock>
        <Invoices />
      </div>
    </>
  );
}

/** What is spent today, and how long the balance lasts; nothing until something was spent. */
function Lasting() {
  const { data } = useQuery(fundsQuery);
  if (!data || data.days_left === null) return null;
  const { spent_today: today, daily_spend: daily, days_left: daysLeft, since } = data;
  const average = since === undefined ? "of the last six days and today so far" : `since ${formatDay(since)}`;
  return (
    <p className={classes.about}>
      Spent today (UTC): {inDollars(today)}. At {inDollars(daily)} a day, the average {average}, the balance lasts{" "}
      {formatDaysLeft(daysLeft)}.
    </p>
  );
}

/** Whether an entry is of a day that is not over. */
const isSoFar = ({ day, ctime }: BalanceEntry): boolean => day !== null && !ctime.endsWith("T23:59:59.999Z");

const whenOf = (entry: BalanceEntry): string => {
  const { type, day, ctime } = entry;
  if (type !== "spend" || day === null) return formatMoment(ctime);
  return isSoFar(entry) ? `${formatDay(day)}, so far` : formatDay(day);
};

const WHAT = {
  refill: "Refill",
  refill_taken_back: "Refill taken back",
  advertiser_credit: "Credit",
  spend: "Spent by campaigns",
  return: "Given back",
} as const;

const whatOf = ({ type, amount }: BalanceEntry): string =>
  type === "advertiser_credit" && amount < 0 ? "Credit taken back" : WHAT[type];

const commentOf = ({ type, day, comment }: BalanceEntry): string =>
  type === "return" && day !== null ? `${comment}, of ${formatDay(day)}` : comment;

/** Less than half a cent is shown in full: "+$0.00" would say that nothing moved. */
const inDollars = (micros: number): string =>
  Math.abs(micros) < MICROS_PER_CENT / 2 ? formatMoneyExact(micros) : formatMoney(micros);

const COLUMNS: Column<BalanceEntry>[] = [
  { id: "when", head: "When (UTC)", cell: whenOf, leads: true, exact: ({ ctime }) => `${dayText(ctime)}, ${ctime}` },
  { id: "what", head: "What", cell: whatOf },
  { id: "comment", head: "Comment", cell: (entry) => <span className={classes.comment}>{commentOf(entry)}</span> },
  {
    id: "amount",
    head: "Amount",
    numeric: true,
    leads: true,
    cell: ({ amount }) => formatSigned(amount, inDollars),
    exact: ({ amount }) => formatSigned(amount, formatMoneyExact),
  },
  {
    id: "balance",
    head: "Balance after",
    numeric: true,
    cell: ({ balance }) => formatMoney(balance),
    exact: ({ balance }) => formatMoneyExact(balance),
  },
];
