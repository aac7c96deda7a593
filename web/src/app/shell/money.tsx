import type { Session } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { Rolling } from "../../ui/number/rolling.tsx";
import classes from "./shell.module.css";

/** What the publisher has, and what today has brought so far. */
export function Money({ balance }: { balance: Session["user_balance"] }) {
  return (
    <dl className={classes.money}>
      <div>
        <dt>Balance</dt>
        <dd title={formatMoneyExact(balance.balance)}>
          <Rolling value={balance.balance} format={formatMoney} />
        </dd>
      </div>
      <div>
        <dt>Revenue today</dt>
        <dd title={formatMoneyExact(balance.revenue)}>
          <Rolling value={balance.revenue} format={formatMoney} />
        </dd>
      </div>
    </dl>
  );
}
