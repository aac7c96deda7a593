import { type AdminPayouts, type PaymentBlock, type PayoutState, loadingText } from "@millrace/contract";
import { formatDay, formatMoney, formatMoneyExact, formatMonth } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { dayText, formatMoment } from "../../../shared/day-text.ts";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { ListPager } from "../../../shared/list-pager.tsx";
import { useKnownSession } from "../../../shared/session.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { payoutsQuery, useAskAboutPayout } from "../api.ts";
import { Nothing } from "../parts/admin-page.tsx";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import classes from "../parts/parts.module.css";
import { SettleForm } from "../parts/settle-form.tsx";
import { WhereToPayAction } from "../parts/where-to-pay.tsx";
import { useListQuery } from "../use-list-query.ts";

type Payout = AdminPayouts["payouts"][number];
type Account = AdminPayouts["run"]["accounts"][number];

/** A preview of the next payout run (who is paid and who is not), and the state of every payout. */
export function AdminPayoutsPage() {
  const { params, search, page } = useListQuery();
  const payouts = useQuery(payoutsQuery(params));
  const { subject, opened, open, close } = useDialog<Payout>();
  const isDemo = useKnownSession()?.demo.running === true;
  const columns = useMemo(() => payoutColumns(open), [open]);
  return (
    <>
      <PageTitle text="Payouts" />
      <div className={classes.bar}>
        <AdminTabs />
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title="Next run"
          aside={(data) => data && runText(data, isDemo)}
          query={payouts}
          loading={loadingText("next run")}
          skeleton={<TableSkeleton rows={4} columns={3} />}
          isEmpty={({ run }) => run.accounts.length === 0}
          empty={<EmptyNote title="Nobody is to be paid" why="No publisher has a balance that is not paid yet." />}
        >
          {({ run, minimum }) => (
            <>
              <DataTable
                caption="Accounts of the next run"
                columns={accountColumns(run.on, minimum)}
                rows={run.accounts}
                rowId={({ account }) => account}
                cards
              />
              {run.held ? <p className={classes.under}>{heldText(run.held)}</p> : null}
              {run.left_off === 0 ? null : (
                <p className={classes.under}>
                  And {run.left_off} more {run.left_off === 1 ? "account" : "accounts"}.
                </p>
              )}
            </>
          )}
        </LoadedBlock>
        <LoadedBlock
          title="Payouts"
          aside={
            <div className={classes.search}>
              <SearchBox label="Search e-mail or method" value={params.search} onSearch={search} />
            </div>
          }
          query={payouts}
          loading={loadingText("payouts")}
          skeleton={<TableSkeleton rows={8} columns={6} />}
          isEmpty={({ payouts: rows }) => rows.length === 0}
          empty={
            <Nothing
              content="payouts"
              why="The first run has not paid anybody yet."
              params={params}
              onAll={() => search("")}
            />
          }
        >
          {({ payouts: rows, pager }) => (
            <>
              <DataTable caption="Payouts" columns={columns} rows={rows} rowId={({ id }) => id} cards />
              <ListPager pager={pager} onPage={page} />
            </>
          )}
        </LoadedBlock>
      </div>
      <Modal opened={opened} onClose={close} title={subject ? SETTLE_WORDS[subject.state].title : ""}>
        {subject ? <SettleForm payout={subject} onDone={close} /> : null}
      </Modal>
    </>
  );
}

/** The built-in provider pays in a demo alone: elsewhere, the operator does. */
function runText({ run, provider }: AdminPayouts, isDemo: boolean): string {
  const withoutTipalti = isDemo ? "by the built-in provider" : "by hand";
  const by = provider === "tipalti" ? "by Tipalti" : withoutTipalti;
  const so = run.month_is_over ? "" : " so far";
  return `${formatMoney(run.total)}${so} for ${formatMonth(run.month)}, from ${formatDay(run.on)} on, ${by}`;
}

function heldText({ month, on, accounts, total }: NonNullable<AdminPayouts["run"]["held"]>): string {
  const [whose, them] = accounts === 1 ? ["1 account is", "it"] : [`${accounts} accounts are`, "them"];
  return `${whose} held back from the run for ${formatMonth(month)}, due since ${formatDay(on)}: ${formatMoney(total)} is paid within hours once nothing holds ${them} back.`;
}

const BLOCK_WORDS = {
  below_minimum: (minimum) => `below ${formatMoney(minimum)}`,
  no_details: () => "no payout details",
  drift: () => "books and events disagree",
  blocked: () => "blocked",
} as const satisfies Record<PaymentBlock, (minimum: number) => string>;

const accountColumns = (on: string, minimum: number): Column<Account>[] => [
  { id: "account", head: "Account", cell: ({ account }) => account, leads: true },
  {
    id: "paid",
    head: "Will be paid",
    cell: ({ blocks }) =>
      blocks.length === 0
        ? `from ${formatDay(on)} on`
        : `no: ${blocks.map((block) => BLOCK_WORDS[block](minimum)).join(", ")}`,
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

const STATE_WORDS = {
  due: "to be ordered",
  sending: "ordered, not confirmed",
  sent: "ordered",
  paid: "paid",
  rejected: "rejected",
} as const satisfies Record<PayoutState, string>;

const SETTLE = { action: "Settle", title: "What became of it?" };
const SETTLE_WORDS = {
  due: { action: "Reject", title: "Reject this payout?" },
  sending: SETTLE,
  sent: SETTLE,
  paid: { action: "Came back", title: "Did this payment come back?" },
  rejected: SETTLE,
} as const satisfies Record<PayoutState, { action: string; title: string }>;

const payoutColumns = (onSettle: (payout: Payout) => void): Column<Payout>[] => [
  {
    id: "account",
    head: "Account",
    cell: ({ account, method }) => <NameOverLine name={account ?? "a deleted account"} line={method} />,
    leads: true,
  },
  { id: "month", head: "For", whole: true, cell: ({ month }) => formatMonth(month) },
  {
    id: "made",
    head: "Made (UTC)",
    whole: true,
    cell: ({ created_at }) => dayText(created_at),
    exact: ({ created_at }) => formatMoment(created_at),
  },
  {
    id: "state",
    head: "State",
    cell: stateText,
    exact: ({ changed_at, asked_at }) =>
      `since ${formatMoment(changed_at)}${asked_at === null ? "" : `, last asked about ${formatMoment(asked_at)}`} (UTC)`,
  },
  {
    id: "amount",
    head: "Amount",
    numeric: true,
    leads: true,
    cell: ({ amount }) => formatMoney(amount),
    exact: ({ amount }) => formatMoneyExact(amount),
  },
  actionsColumn((payout) =>
    payout.askable || payout.settleable ? (
      <>
        {payout.askable ? <AskAction payout={payout} /> : null}
        {payout.settleable && payout.state === "sent" ? <WhereToPayAction payout={payout} of={nameOf(payout)} /> : null}
        {payout.settleable ? (
          <RowAction label={SETTLE_WORDS[payout.state].action} of={nameOf(payout)} onClick={() => onSettle(payout)} />
        ) : null}
      </>
    ) : null,
  ),
];

function stateText({ state, reason, blocks, by_hand: isByHand }: Payout): string {
  if (isByHand) return "to be paid by hand";
  if (blocks) return `held back: ${blocks.map((block) => BLOCK_WORDS[block]()).join(", ")}`;
  return reason === "" ? STATE_WORDS[state] : `${STATE_WORDS[state]}: ${reason}`;
}

const nameOf = ({ account, month }: Payout): string => `${account ?? "a deleted account"}, ${formatMonth(month)}`;

function AskAction({ payout }: { payout: Payout }) {
  const ask = useAskAboutPayout();
  const { tell } = useNotify();
  const askNow = () =>
    ask.mutate(payout.id, {
      onSuccess: ({ state }) => tell(`The payout is ${STATE_WORDS[state]}.`),
      onError: ({ message }) => tell(message, "failed"),
    });
  return <RowAction label="Ask" of={nameOf(payout)} onClick={askNow} />;
}
