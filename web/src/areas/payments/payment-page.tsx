import { HISTORY_PREVIEW_ROWS, type NextPayment, loadingText, mayUse, notFoundText } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { HelpLink } from "../../shared/help-link.tsx";
import { PATHS } from "../../shared/paths.ts";
import { useKnownSession } from "../../shared/session.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar, TableSkeleton } from "../../ui/states/skeletons.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { cashoutsQuery, nextPaymentQuery } from "./api.ts";
import { CASHOUT_COLUMNS } from "./cashout-columns.tsx";
import { Invoices } from "./invoices.tsx";
import { MonthNumbers } from "./month-numbers.tsx";
import { NextPaymentFigures } from "./next-payment.tsx";
import classes from "./payment-page.module.css";
import { PayoutFrame } from "./payout-frame.tsx";
import { RevenueShare } from "./revenue-share.tsx";

/** What an account is paid next, how, and what it was paid before. */
export function PaymentPage() {
  const next = useQuery(nextPaymentQuery);
  const session = useKnownSession();
  const mayEnter = session !== undefined && mayUse("payoutDetails.manage", session);
  return (
    <>
      <PageTitle text="Payments" />
      <div className={classes.page}>
        <LoadedBlock
          title="Next payment"
          query={next}
          loading={loadingText("next payment")}
          skeleton={<SkeletonBar width="60%" height="84px" />}
        >
          {(data) => <NextPaymentFigures payment={data} />}
        </LoadedBlock>
        <MonthNumbers />
        <Panel title="How you are paid" aside={next.data && providerText(next.data)}>
          {mayEnter ? (
            <PayoutFrame />
          ) : (
            <p className={classes.about}>
              {next.data?.method ? `Paid by: ${next.data.method}. ` : ""}
              {session?.is_switched === true
                ? "Payout details are closed while an admin is switched in."
                : "Only the account’s owner sees and changes payout details."}
            </p>
          )}
        </Panel>
        <History />
        <Invoices />
        <RevenueShare />
      </div>
    </>
  );
}

const providerText = ({ provider }: NextPayment): string =>
  provider === "tipalti" ? "By Tipalti" : "By this platform’s own payout service";

function History() {
  return (
    <LoadedBlock
      title="History"
      aside={<Link to={PATHS.paymentHistory}>Full history</Link>}
      query={useQuery(cashoutsQuery(0))}
      loading={loadingText("payments")}
      skeleton={<TableSkeleton rows={HISTORY_PREVIEW_ROWS} columns={CASHOUT_COLUMNS.length} />}
      isEmpty={({ cashouts }) => cashouts.length === 0}
      empty={
        <EmptyNote
          title={notFoundText("payments")}
          why="The first payment is made for the first month in which your balance reaches the minimum."
          action={<HelpLink to="publishers/money#payouts">How payouts work</HelpLink>}
        />
      }
    >
      {({ cashouts }) => (
        <DataTable
          caption="Latest payments"
          columns={CASHOUT_COLUMNS}
          rows={cashouts.slice(0, HISTORY_PREVIEW_ROWS)}
          rowId={({ id }) => id}
          cards
        />
      )}
    </LoadedBlock>
  );
}
