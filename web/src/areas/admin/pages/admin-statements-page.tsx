import { type ListedStatement, loadingText } from "@millrace/contract";
import { formatDayRange, formatMoney, formatMoneyExact, formatMonth } from "@millrace/units";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatMoment } from "../../../shared/day-text.ts";
import type { Search } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import {
  MonthChoice,
  type RevenueAddress,
  RevenueTable,
  readRevenueAddress,
} from "../../../shared/revenue/revenue-table.tsx";
import { signedMoney } from "../../../shared/revenue/signed-money.ts";
import { ThreeNumbers } from "../../../shared/revenue/three-numbers.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { revenueQuery, statementsQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { restatedWords } from "../parts/restated-words.ts";
import { Excesses } from "../parts/excesses.tsx";
import classes from "../parts/parts.module.css";

/** The partners' statements, and each month's estimated, reported and paid revenue. */
export function AdminStatementsPage() {
  return (
    <AdminPage
      title="Statements"
      content="statements"
      searchLabel="Search partner or file"
      whyEmpty="Import a partner's statement to compare what it reports with what our auctions counted."
      listQuery={statementsQuery}
      rowsOf={({ statements }) => statements}
      rowId={({ uuid }) => uuid}
      columns={COLUMNS}
      action={
        <Button component={Link} to={PATHS.adminStatementImport} size="xs">
          Import a statement
        </Button>
      }
      above={
        <div className={classes.above}>
          <Excesses />
          <MonthOfAll />
        </div>
      }
    />
  );
}

interface Address extends RevenueAddress {
  partner: string | undefined;
}

function readAddress(search: Search): Address {
  const partner = search["partner"];
  return {
    ...readRevenueAddress(search),
    partner: typeof partner === "string" && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(partner) ? partner : undefined,
  };
}

/** A month of all publishers. A partner's name narrows it down to that partner's days. */
function MonthOfAll() {
  const [{ month, by = "partner", partner }, change] = useAddress(readAddress);
  const revenue = useQuery(revenueQuery({ month, by, partner }));
  return (
    <LoadedBlock
      title={revenue.data ? `${formatMonth(revenue.data.month)}, three numbers` : "Three numbers"}
      aside={
        partner === undefined ? undefined : (
          <>
            Of {partner} alone.{" "}
            <LinkButton onClick={() => change({ partner: undefined, by: undefined })}>Show all partners</LinkButton>
          </>
        )
      }
      query={revenue}
      loading={loadingText("three numbers")}
      skeleton={<TableSkeleton rows={6} columns={3} />}
      isEmpty={({ months }) => months.length === 0}
      empty={<EmptyNote title="Nothing is booked yet" why="Each day's sales are booked once the day is over (UTC)." />}
    >
      {(data) => (
        <>
          <MonthChoice month={data.month} months={data.months} onChoose={(chosen) => change({ month: chosen })} />
          <ThreeNumbers
            numbers={data}
            about={{
              estimated: "what our auctions sold, before our fee",
              reported: `what campaigns paid, and what partners owe by their statements: ${data.reported_partners} of ${data.partners} are complete`,
              paid: "what publishers’ banks got of it; parts of a cent are paid with later months",
            }}
            words={{
              unexplained: { about: "No cause accounts for it; ask the partner" },
              borne: { about: "Publishers are paid by our own count, until a shortfall is passed on" },
            }}
          />
          <RevenueTable
            rows={data.rows}
            by={data.by}
            onGroup={(next) => change({ by: next === "partner" ? undefined : next })}
            lead={data.by === "partner" ? daysOf((id) => change({ partner: id, by: "day" })) : nameOnly}
          />
        </>
      )}
    </LoadedBlock>
  );
}

type Lead = (row: { id: string }, name: string) => ReactNode;
const nameOnly: Lead = (_, name) => name;
/** Deductions that name no partner have no days of their own. */
const daysOf =
  (show: (partner: string) => void): Lead =>
  ({ id }, name) =>
    id === "" ? name : <LinkButton onClick={() => show(id)}>{name}</LinkButton>;

const COLUMNS: Column<ListedStatement>[] = [
  {
    id: "partner",
    head: "Partner",
    cell: ({ uuid, partner_name: name, file_name: file }) => (
      <Link to={PATHS.adminStatement} params={{ uuid }} className={classes.plain}>
        <NameOverLine name={name} line={file} />
      </Link>
    ),
  },
  {
    id: "days",
    head: "Days",
    cell: ({ first_day: ds, last_day: de }) => formatDayRange({ ds, de }),
  },
  {
    id: "imported",
    head: "Imported (UTC)",
    cell: ({ imported_at: at, imported_by: by }) => (
      <NameOverLine name={formatMoment(at)} line={by ?? "a deleted person"} />
    ),
  },
  {
    id: "changed",
    head: "Days of apps",
    cell: ({ added, restated, unchanged, cause, restated_by: by }) => (
      <NameOverLine
        name={`${added} added, ${restated} restated`}
        line={cause === null ? `${unchanged} unchanged` : restatedWords(cause, by)}
      />
    ),
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
    id: "changed_by",
    head: "Changed by",
    numeric: true,
    cell: ({ changed_by: by }) => (by === 0 ? "nothing" : signedMoney(by)),
    exact: ({ changed_by: by }) => formatMoneyExact(by),
  },
];
