import type { RevenueShares } from "@millrace/contract";
import { formatDay, formatPercentExact } from "@millrace/units";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { formatMoment } from "../day-text.ts";
import classes from "./share-table.module.css";

/** A share in parts per million as a percentage. */
export const shareText = (ppm: number): string => formatPercentExact(ppm / 10_000);

interface Row {
  id: string;
  from: string;
  share: number;
  reason: string;
  setAt: string | null;
  when: RevenueShares["shares"][number]["when"] | null;
}

const COLUMNS: Column<Row>[] = [
  {
    id: "from",
    head: "From (UTC)",
    leads: true,
    cell: ({ from, when }) => (
      <>
        {from}
        {when === "now" || when === "future" ? (
          <span className={classes.mark}>{when === "now" ? "in force" : "to come"}</span>
        ) : null}
      </>
    ),
  },
  { id: "share", head: "Share", numeric: true, leads: true, cell: ({ share }) => shareText(share) },
  {
    id: "reason",
    head: "Reason",
    cell: ({ reason }) => <span className={classes.reason}>{reason}</span>,
    exact: ({ setAt }) => (setAt === null ? "" : `set ${formatMoment(setAt)} UTC`),
  },
];

/** A publisher's shares by their first day, the last one on top, down to the default share before all of them. */
export function ShareTable({ shares }: { shares: RevenueShares }) {
  const rows: Row[] = [
    ...shares.shares.map(({ from, share_ppm, reason, set_at, when }) => ({
      id: from,
      from: formatDay(from),
      share: share_ppm,
      reason,
      setAt: set_at,
      when,
    })),
    {
      id: "platform",
      from: "Before",
      share: shares.platform_ppm,
      reason: "The default share, for publishers without one of their own",
      setAt: null,
      when: null,
    },
  ];
  return <DataTable caption="Shares of the price" columns={COLUMNS} rows={rows} rowId={({ id }) => id} cards />;
}
