import { type PageName, type Session, type Side, mayOpen } from "@millrace/contract";
import { formatBalance, formatMoney, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../shared/paths.ts";
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
        <Amount label="Campaign Balance" micros={toSpend} page="campaignBalance" session={session} />
      </dl>
    );
  }
  if (!session.roles.can_apps) return null;
  return (
    <dl className={classes.money}>
      <Amount label="Balance" micros={earned.balance} format={formatBalance} page="payment" session={session} />
      <Amount
        label="Revenue today"
        micros={earned.revenue}
        about=", since 00:00 UTC"
        page="publisherPerformance"
        session={session}
      />
    </dl>
  );
}

interface AmountProps {
  label: string;
  micros: number;
  format?: typeof formatMoney;
  /** What the exact amount is of. */
  about?: string;
  /** What explains it. */
  page: PageName;
  session: Session;
}

function Amount({ label, micros, format = formatMoney, about = "", page, session }: AmountProps) {
  const amount = <Rolling value={micros} format={format} />;
  return (
    <div>
      <dt>{label}</dt>
      <dd title={formatMoneyExact(micros) + about}>
        {mayOpen(page, session) ? (
          <Link to={PATHS[page]} activeOptions={{ exact: true }}>
            {amount}
          </Link>
        ) : (
          amount
        )}
      </dd>
    </div>
  );
}
