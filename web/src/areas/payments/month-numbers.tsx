import {
  type MonthRevenue,
  type PaidCause,
  type ReportedCause,
  type RevenueRow,
  loadingText,
} from "@millrace/contract";
import { addDays, dayOf, formatDay, formatMonth } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAddress } from "../../shared/filters/use-address.ts";
import { HelpLink } from "../../shared/help-link.tsx";
import { PATHS } from "../../shared/paths.ts";
import { MonthChoice, RevenueTable, readRevenueAddress } from "../../shared/revenue/revenue-table.tsx";
import { ThreeNumbers } from "../../shared/revenue/three-numbers.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../ui/states/skeletons.tsx";
import { monthRevenueQuery } from "./api.ts";

/** A month's estimated, reported and paid revenue, why they differ, and the days, apps and partners behind them. */
export function MonthNumbers() {
  const [{ month, by = "partner" }, change] = useAddress(readRevenueAddress);
  const revenue = useQuery(monthRevenueQuery({ month, by }));
  return (
    <LoadedBlock
      title={revenue.data ? `${formatMonth(revenue.data.month)}, three numbers` : "Three numbers"}
      query={revenue}
      loading={loadingText("three numbers")}
      skeleton={<TableSkeleton rows={6} columns={3} />}
      isEmpty={({ months }) => months.length === 0}
      empty={
        <EmptyNote
          title="Nothing is booked yet"
          why="Each day's revenue is booked once the day is over (UTC), and compared here with what partners report and what is paid."
          action={<HelpLink to="publishers/money#three-numbers">The three numbers of a month</HelpLink>}
        />
      }
    >
      {(data) => (
        <>
          <MonthChoice month={data.month} months={data.months} onChoose={(chosen) => change({ month: chosen })} />
          <ThreeNumbers
            numbers={data}
            about={aboutOf(data)}
            lead={(cause, label) => leadTo(data.month, cause, label)}
            {...(data.paid_with && { words: { paid_later: { label: `Paid with ${formatMonth(data.paid_with)}` } } })}
          />
          <RevenueTable
            rows={data.rows}
            by={data.by}
            onGroup={(next) => change({ by: next === "partner" ? undefined : next })}
            lead={linksTo(data)}
          />
        </>
      )}
    </LoadedBlock>
  );
}

const aboutOf = ({
  partners,
  reported_partners: reported,
  paid,
  paid_on: paidOn,
  paid_with: paidWith,
}: MonthRevenue) => ({
  estimated: "your part of what our auctions counted",
  reported:
    partners === 0
      ? "no partner has bought anything"
      : // Campaigns are confirmed without a report.
        `what is confirmed: ${reported} of ${partners} ${partners === 1 ? "partner’s report is" : "partners’ reports are"} in`,
  paid: paidText({ paid, paid_on: paidOn, paid_with: paidWith }),
});

function paidText({
  paid,
  paid_on: on,
  paid_with: later,
}: Pick<MonthRevenue, "paid" | "paid_on" | "paid_with">): string {
  if (later !== undefined) return `part of the payment for ${formatMonth(later)}, ordered ${formatDay(on)}`;
  return paid === 0 ? unpaidText(on) : `ordered ${formatDay(on)}, and at your bank`;
}

const unpaidText = (paidOn: string): string =>
  paidOn < dayOf(Date.now())
    ? "nothing has reached your bank yet"
    : `nothing has reached your bank; payments are made on ${formatDay(paidOn)}`;

const daysOf = (month: string) => {
  const next = addDays(`${month}-28`, 4).slice(0, 7);
  return { ds: `${month}-01`, de: addDays(`${next}-01`, -1) };
};

const IN_DEDUCTIONS = /^deducted_|^given_back$/;
const IN_REPORT = new Set<string>(["earlier_days", "booked_later", "bonus", "correction", "carried", "taken_since"]);

/** Deductions are listed one by one; what else moved the balance is in the finance report, by day. */
function leadTo(month: string, cause: ReportedCause | PaidCause, label: string): ReactNode {
  if (IN_DEDUCTIONS.test(cause)) return <Link to={PATHS.deductions}>{label}</Link>;
  if (IN_REPORT.has(cause))
    return (
      <Link to={PATHS.report} search={daysOf(month)}>
        {label}
      </Link>
    );
  return label;
}

const linksTo =
  ({ month, by }: MonthRevenue) =>
  (row: RevenueRow, name: string): ReactNode => <Link {...reportOf(month, by, row)}>{name}</Link>;

function reportOf(month: string, by: "partner" | "app" | "day", { id }: RevenueRow) {
  if (by === "day") return { to: PATHS.report, search: { ds: id, de: id } };
  if (by === "app") return { to: PATHS.appPerformance, params: { uuid: id }, search: daysOf(month) };
  return { to: PATHS.report, search: { ...daysOf(month), provider: id === "" ? [] : [id] } };
}
