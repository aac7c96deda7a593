import { type FinanceReport, PLATFORM_LABELS } from "@millrace/contract";
import { formatMoneyExact, formatMoneyTo, moneyDecimals } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Search } from "../../shared/filters/address.ts";
import { Panel } from "../../ui/panel.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import classes from "./report-page.module.css";

const FIRST_ROWS = 8;

interface Share {
  id: string;
  name: ReactNode;
  revenue: number;
}

/** Who earned the range's revenue, its corrections included: apps on one side, providers on the other. */
export function ReportShares({ report, isStale }: { report: FinanceReport; isStale: boolean }) {
  const apps = report.adtoapp_apps.map(({ app_id: id, uuid, name, platform, revenue }) => ({
    id: String(id),
    name:
      id === null ? (
        name
      ) : (
        <>
          <NarrowTo filter={{ app_id: [String(id)] }}>{name}</NarrowTo>{" "}
          <span className={classes.quiet}>
            {[...(platform ? [PLATFORM_LABELS[platform]] : []), ...(uuid === null ? ["deleted"] : [])].join(", ")}
          </span>
        </>
      ),
    revenue,
  }));
  const providers = report.providers.map(({ provider, name, revenue }) => ({
    id: provider,
    name: <NarrowTo filter={{ provider: [provider] }}>{name}</NarrowTo>,
    revenue,
  }));
  return (
    <div className={classes.halves} data-stale={isStale ? "" : undefined}>
      <Shares title="Revenue by app" head="App" what="apps" shares={apps} />
      <Shares title="Revenue by provider" head="Provider" what="providers" shares={providers} />
    </div>
  );
}

interface SharesProps {
  title: string;
  head: string;
  what: string;
  shares: readonly Share[];
}

function Shares({ title, head, what, shares }: SharesProps) {
  const most = Math.max(0, ...shares.map(({ revenue }) => revenue));
  const decimals = moneyDecimals(shares.map(({ revenue }) => revenue));
  const columns: Column<Share>[] = [
    { id: "name", head, cell: ({ name }) => name },
    {
      id: "revenue",
      head: "Revenue",
      numeric: true,
      leads: true,
      cell: ({ revenue }) => formatMoneyTo(revenue, decimals),
      exact: ({ revenue }) => formatMoneyExact(revenue),
      ...(most > 0 && { share: ({ revenue }: Share) => Math.max(0, revenue) / most }),
    },
  ];
  return (
    <Panel title={title} aside="with corrections">
      <DataTable
        cards
        caption={`${head}s by revenue`}
        columns={columns}
        rows={shares}
        rowId={({ id }) => id}
        fold={{ rows: FIRST_ROWS, more: (hidden) => `${hidden} more ${what}`, fewer: "Show fewer" }}
      />
    </Panel>
  );
}

/** A name that narrows the page down to it. */
const NarrowTo = ({
  filter,
  children,
}: {
  filter: Readonly<Record<string, readonly string[]>>;
  children: ReactNode;
}) => (
  <Link to="." search={(before: Search) => ({ ...before, ...filter })} resetScroll={false} className={classes.name}>
    {children}
  </Link>
);
