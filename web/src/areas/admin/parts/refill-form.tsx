import { type AdminUser, refillBalance } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useRefillBalance } from "../api.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { newKey } from "../../../shared/new-key.ts";
import { AgainField, AmountField, BalanceAfter, TypedAmount, againError, amountError } from "./amount-field.tsx";
import classes from "./parts.module.css";

const { amount: Amount, reason: Reason } = refillBalance.body.shape;
const Refill = z.object({ amount: TypedAmount, again: z.string(), reason: Reason });

/** Adds money to an advertiser's campaign balance. */
export function RefillForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const refill = useRefillBalance();
  // One key while the form is open, so a retry after a lost reply books the money once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: Refill,
    initial: { amount: "", again: "", reason: "" },
    check: (typed) => ({ ...againError(typed), ...amountError(typed.amount, Amount) }),
    send: ({ amount, reason }) => refill.mutateAsync({ id: user.uuid, amount: microsOf(amount) ?? 0, reason, key }),
    onDone: ({ campaign_balance }) => {
      tell(`The balance of ${user.email} is now ${formatMoneyExact(campaign_balance)}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <BalanceAfter email={user.email} balance={user.campaign_balance} typed={form.values.amount} />
      <p className={classes.about}>The amount is without VAT, which the invoice adds where it is due.</p>
      <AmountField {...form.field("amount")} data-autofocus />
      <AgainField {...form.field("again")} amount={form.values.amount} />
      <TextAreaField {...form.field("reason")} label="Reason, which the advertiser sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>Refill balance</Submit>
    </Form>
  );
}
