import type { AdminPayouts, WhereToPay } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { CopyText } from "../../../ui/copy-text.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { RowAction } from "../../../ui/table/row-actions.tsx";
import { useWhereToPay } from "../api.ts";
import classes from "./parts.module.css";

const METHOD_WORDS = {
  bank: { method: "Bank transfer", account: "IBAN" },
  paypal: { method: "PayPal", account: "E-mail address" },
} as const satisfies Record<WhereToPay["method"], { method: string; account: string }>;

/** Asks where a payout that is paid by hand goes, only once an admin wants to know, and shows it. */
export function WhereToPayAction({ payout, of }: { payout: AdminPayouts["payouts"][number]; of: string }) {
  const where = useWhereToPay();
  const { subject, opened, open, close } = useDialog<WhereToPay>();
  const { tell } = useNotify();
  const show = () => where.mutate(payout.id, { onSuccess: open, onError: ({ message }) => tell(message, "failed") });
  return (
    <>
      <RowAction label="Show where to pay" of={of} onClick={show} />
      <Modal opened={opened} onClose={close} title="Where to pay">
        {subject ? (
          <>
            <dl className={classes.facts}>
              <dt>Amount</dt>
              <dd>{formatMoneyExact(payout.amount)}</dd>
              <dt>Method</dt>
              <dd>{METHOD_WORDS[subject.method].method}</dd>
              <dt>Account holder</dt>
              <dd>{subject.holder}</dd>
              <dt>{METHOD_WORDS[subject.method].account}</dt>
              <dd>
                <CopyText text={subject.account} what={METHOD_WORDS[subject.method].account} />
              </dd>
            </dl>
            <p className={classes.about}>
              These are the details that the payout was ordered with. That you have seen them is in the audit log.
              Settle the payout once it is paid: the details are then erased.
            </p>
          </>
        ) : null}
      </Modal>
    </>
  );
}
