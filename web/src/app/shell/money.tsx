import type { Session } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { Rolling } from "../../ui/number/rolling.tsx";
import classes from "./shell.module.css";

/** What the publisher has, and what today has brought so far; what an advertiser can still spend. */
export function Money({ session }: { session: Session }) {
  const { balance, revenue } = session.user_balance;
  return (
    <dl className={classes.money}>
      {session.roles.can_apps ? (
        <>
          <Amount label="Balance" micros={balance} />
          <Amount label="Revenue today" micros={revenue} />
        </>
      ) : (
        <Amount label="Campaign Balance" micros={session.campaign_balance} />
      )}
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
