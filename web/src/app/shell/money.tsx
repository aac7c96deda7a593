import type { Session, Side } from "@millrace/contract";
import { formatMoney, formatMoneyExact } from "@millrace/units";
import { Rolling } from "../../ui/number/rolling.tsx";
import classes from "./shell.module.css";

/**
 * A publisher's balance and today's revenue, or an advertiser's balance; nothing for roles without access to money, and
 * on the admin pages, which are about all accounts.
 */
export function Money({ session, side }: { session: Session; side: Side | "admin" | undefined }) {
  const { user_balance: earned, campaign_balance: toSpend } = session;
  if (side === "admin" || earned === null || toSpend === null) return null;
  if (side === "campaign" && session.roles.can_campaign) {
    return (
      <dl className={classes.money}>
        <Amount label="Campaign Balance" micros={toSpend} />
      </dl>
    );
  }
  if (!session.roles.can_apps) return null;
  return (
    <dl className={classes.money}>
      <Amount label="Balance" micros={earned.balance} />
      <Amount label="Revenue today" micros={earned.revenue} />
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
