import { Button } from "@mantine/core";
import {
  EARLIEST_DATE,
  type FinanceReport,
  financeReport,
  financeReportCsv,
  financeReportPdf,
  loadingText,
  notFoundText,
} from "@millrace/contract";
import {
  addDays,
  changeOfBalance,
  dayOf,
  formatBalance,
  formatDay,
  formatMoney,
  formatMoneyExact,
  formatSigned,
} from "@millrace/units";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { addressOf, callApi } from "../../shared/call-api.ts";
import { FilterFrame } from "../../shared/filters/filter-frame.tsx";
import { useAddress } from "../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../shared/filters/use-filter-options.ts";
import type { Prefetch } from "../../shared/prefetch.ts";
import { ChoiceFilter } from "../../ui/fields/choice-filter.tsx";
import { DownloadIcon } from "../../ui/icons.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar, TableSkeleton } from "../../ui/states/skeletons.tsx";
import { type ReportAddress, readReportAddress } from "./report-address.ts";
import { ReportShares } from "./report-shares.tsx";
import { ReportTable } from "./report-table.tsx";
import classes from "./report-page.module.css";

/** The books follow the events every ten minutes, and an admin's correction at once. */
const REFRESH_MS = 60_000;

const reportQuery = ({ ds, de, provider, app_id }: ReportAddress) =>
  queryOptions({
    queryKey: ["finance_report", ds, de, provider, app_id],
    queryFn: ({ signal }) => callApi(financeReport, { query: { ds, de, provider, app_id }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });

export const prefetch: Prefetch = (client, { search }) => {
  // Errors are reported where the report is shown.
  client.query(reportQuery(readReportAddress(search))).catch(() => undefined);
};

/** What moved the publisher's balance, day by day, and who earned it. */
export function ReportPage() {
  const [address, change] = useAddress(readReportAddress);
  const report = useQuery(reportQuery(address));
  return (
    <>
      <PageTitle text="Finance report" />
      <ReportFilters address={address} report={report.data} onChange={change} />
      {report.data ? <Booked until={report.data.booked_until} withToday={report.data.de >= dayOf(Date.now())} /> : null}
      <div className={classes.page}>
        {report.data === undefined && report.isError ? null : (
          <LoadedBlock
            title="Balance"
            query={report}
            loading={loadingText("balance")}
            skeleton={<SkeletonBar width="60%" height="42px" />}
          >
            {(data) => <Balance report={data} />}
          </LoadedBlock>
        )}
        <LoadedBlock
          title="By day"
          aside={<Downloads address={address} />}
          query={report}
          loading={loadingText("finance report")}
          skeleton={<TableSkeleton rows={6} columns={8} />}
          isEmpty={({ trans }) => trans.length === 0}
          empty={<NothingBooked address={address} onChange={change} />}
        >
          {(data) => <ReportTable report={data} />}
        </LoadedBlock>
        {report.data && report.data.providers.length > 0 ? (
          <ReportShares report={report.data} isStale={report.isPlaceholderData} />
        ) : null}
      </div>
    </>
  );
}

interface ReportFiltersProps {
  address: ReportAddress;
  report: FinanceReport | undefined;
  onChange: (change: Partial<ReportAddress>) => void;
}

function ReportFilters({ address, report, onChange }: ReportFiltersProps) {
  const options = useFilterOptions().data;
  // Deleted apps and former providers have earned too, but are no choices of other pages.
  const former = (report?.providers ?? []).map(({ provider, name }) => [provider, name] as const);
  const deleted = (report?.adtoapp_apps ?? []).flatMap(({ app_id: id, uuid, name }) =>
    id === null || uuid !== null ? [] : [[String(id), `${name} (deleted)`] as const],
  );
  return (
    <FilterFrame
      range={{ ds: address.ds, de: address.de }}
      limits={options && { ds: options.dates.min, de: options.dates.max }}
      first={options?.first_day ?? undefined}
      set={[address.provider, address.app_id].filter((values) => values.length > 0).length}
      onRange={onChange}
    >
      <ChoiceFilter
        what="networks"
        options={{ ...Object.fromEntries(former), ...options?.providers }}
        chosen={address.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <ChoiceFilter
        what="apps"
        options={{ ...options?.apps, ...Object.fromEntries(deleted) }}
        chosen={address.app_id}
        onChange={(app_id) => onChange({ app_id })}
      />
    </FilterFrame>
  );
}

const Booked = ({ until, withToday }: { until: string | null; withToday: boolean }) => (
  <p className={classes.booked}>
    {until === null ? "No revenue is booked yet." : `Revenue is booked up to ${formatDay(until)} (UTC).`} A day is
    booked once it is over{withToday ? ", so today’s revenue is not in these figures yet" : ""}.
  </p>
);

function Balance({ report: { ds, de, opening, closing, totals } }: { report: FinanceReport }) {
  const change = opening === null || closing === null ? totals.amount : changeOfBalance(opening, closing);
  const isNow = de === dayOf(Date.now());
  return (
    <>
      <dl className={classes.balance}>
        {opening === null ? null : <Amount label={`Before ${formatDay(ds)}`} micros={opening} />}
        <Amount label="Change" micros={change} exact={totals.amount} isChange />
        {closing === null ? null : <Amount label={isNow ? "Now" : `After ${formatDay(de)}`} micros={closing} />}
      </dl>
      {opening === null ? (
        <p className={classes.note}>
          Of the chosen apps and networks alone. The balance, bonuses and payouts are of the whole account: take the
          filters back to see them.
        </p>
      ) : null}
    </>
  );
}

interface AmountProps {
  label: string;
  micros: number;
  exact?: number;
  isChange?: boolean;
}

const Amount = ({ label, micros, exact = micros, isChange = false }: AmountProps) => (
  <div>
    <dt>{label}</dt>
    <dd title={formatMoneyExact(exact)}>{isChange ? formatSigned(micros, formatMoney) : formatBalance(micros)}</dd>
  </div>
);

/** Files of the same days and filters. */
function Downloads({ address }: { address: ReportAddress }) {
  const query = { ...address };
  return (
    <span className={classes.downloads}>
      <a href={addressOf(financeReportCsv, {}, query)} download className={classes.download}>
        <DownloadIcon /> Download CSV
      </a>
      <a href={addressOf(financeReportPdf, {}, query)} download className={classes.download}>
        <DownloadIcon /> Download PDF
      </a>
    </span>
  );
}

interface NothingBookedProps {
  address: ReportAddress;
  onChange: (change: Partial<ReportAddress>) => void;
}

/** An empty table, with the step most likely to help: fewer filters first, then more days. */
function NothingBooked({ address: { ds, de, provider, app_id }, onChange }: NothingBookedProps) {
  const first = useFilterOptions().data?.first_day ?? EARLIEST_DATE;
  const today = dayOf(Date.now());
  const month = addDays(today, -29);
  const step =
    provider.length > 0 || app_id.length > 0
      ? { label: "Clear the filters", change: { provider: [], app_id: [] } }
      : ds > month || de < today
        ? { label: "Show the last 30 days", change: { ds: month, de: today } }
        : ds > first
          ? { label: "Show all time", change: { ds: first, de: today } }
          : undefined;
  return (
    <EmptyNote
      title={notFoundText("entries")}
      why="Nothing was booked on these days. What your apps earn is booked once its day is over."
      action={
        step ? (
          <Button variant="default" size="xs" onClick={() => onChange(step.change)}>
            {step.label}
          </Button>
        ) : undefined
      }
    />
  );
}
