import { type AdminUser, creditAdvertiser } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useCreditAdvertiser } from "../api.ts";
import { newKey } from "../../../shared/new-key.ts";
import { AgainField, AmountField, BalanceAfter, TypedAmount, againError, amountError } from "./amount-field.tsx";
import classes from "./parts.module.css";

const { amount: Amount, reason: Reason } = creditAdvertiser.body.shape;
const WAYS = [
  { value: "give", label: "Give a credit", sign: 1 },
  { value: "take", label: "Take a credit back", sign: -1 },
] as const;
const Credit = z.object({
  way: z.enum(WAYS.map(({ value }) => value)),
  amount: TypedAmount,
  again: z.string(),
  reason: Reason,
});

const wayOf = (value: string | undefined) => WAYS.find((way) => way.value === value) ?? WAYS[0];

/** Gives an advertiser money of the platform's own, or takes a credit back. */
export function CreditAdvertiserForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const credit = useCreditAdvertiser();
  // One key while the form is open, so a retry after a lost reply books the money once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: Credit,
    initial: { way: "give", amount: "", again: "", reason: "" },
    check: ({ way, ...typed }) => ({ ...againError(typed), ...amountError(typed.amount, Amount, wayOf(way).sign) }),
    send: ({ way, amount, reason }) =>
      credit.mutateAsync({ id: user.uuid, amount: (microsOf(amount) ?? 0) * wayOf(way).sign, reason, key }),
    onDone: ({ campaign_balance: balance }) => {
      tell(`The balance of ${user.email} is now ${formatMoneyExact(balance)}`);
      onDone();
    },
  });
  const { label, sign } = wayOf(form.values.way);
  return (
    <Form {...form.props}>
      <BalanceAfter email={user.email} balance={user.campaign_balance} typed={form.values.amount} sign={sign} />
      <ChoiceField {...form.field("way")} label="What to do" options={WAYS} inLines />
      {sign === 1 ? (
        <p className={classes.about}>
          The platform bears a credit, as for invalid traffic. No money is received, so no invoice follows: use Refill
          for a payment.
        </p>
      ) : null}
      <AmountField {...form.field("amount")} data-autofocus />
      <AgainField {...form.field("again")} amount={form.values.amount} />
      <TextAreaField {...form.field("reason")} label="Reason, which the advertiser sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>{label}</Submit>
    </Form>
  );
}
