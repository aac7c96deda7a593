import type { Session, Side } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { Rolling } from "../../ui/number/rolling.tsx";
import classes from "./shell.module.css";

/** What the publisher has, and what today has brought so far; what an advertiser can still spend. */
export function Money({ session, side }: { session: Session; side: Side | undefined }) {
  const { balance, revenue } = session.user_balance;
  if (side === "campaign" && session.roles.can_campaign) {
    return (
      <dl className={classes.money}>
        <Amount label="Campaign Balance" micros={session.campaign_balance} />
      </dl>
    );
  }
  if (!session.roles.can_apps) return null;
  return (
    <dl className={classes.money}>
      <Amount label="Balance" micros={balance} />
      <Amount label="Revenue today" micros={revenue} />
    </dl>
  );
}

function Amount({ label, micros }: { label: string; micros: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd title={formatMoneyExact(micros)}>
        <Rolling value={micros} format={formatMoney} />
      </dd>
    </div>
  );
}
