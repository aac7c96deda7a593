import { type Cashout, WITHDRAWAL_TEXTS, asSentence, payoutStatement } from "@millrace/contract";
import { NO_NUMBER, formatMoney, formatMoneyExact, formatMonth } from "@millrace/units";
import { addressOf } from "../../shared/call-api.ts";
import { dayText, formatMoment } from "../../shared/day-text.ts";
import type { Column } from "../../ui/table/data-table.tsx";
import classes from "./payment-page.module.css";

/** A payout: when, of which month, how, what became of it, how much. */
export const CASHOUT_COLUMNS: Column<Cashout>[] = [
  {
    id: "date",
    head: "Ordered (UTC)",
    whole: true,
    cell: ({ date }) => dayText(date),
    leads: true,
    exact: ({ date }) => formatMoment(date),
  },
  { id: "month", head: "For", whole: true, cell: ({ month }) => formatMonth(month) },
  { id: "method", head: "Method", cell: ({ method }) => method },
  {
    id: "status",
    head: "Status",
    cell: ({ status, reason }) => (
      <span className={classes.status} data-status={status}>
        {WITHDRAWAL_TEXTS[status]}
        {reason === "" ? null : <small>{asSentence(reason)} The money is back on your balance.</small>}
      </span>
    ),
    exact: ({ changed_at }) => `since ${formatMoment(changed_at)} UTC`,
  },
  {
    id: "amount",
    head: "Amount",
    numeric: true,
    leads: true,
    cell: ({ amount }) => formatMoney(amount),
    exact: ({ amount }) => formatMoneyExact(amount),
  },
];

/** The same with the statement of each payment that was sent. */
export const HISTORY_COLUMNS: Column<Cashout>[] = [
  ...CASHOUT_COLUMNS,
  {
    id: "statement",
    head: "Statement",
    cell: ({ id, month, status }) =>
      status === "accepted" ? (
        <a
          href={addressOf(payoutStatement, { id }, {})}
          download
          aria-label={`Statement for ${formatMonth(month)}, PDF`}
        >
          PDF
        </a>
      ) : (
        NO_NUMBER
      ),
  },
];
