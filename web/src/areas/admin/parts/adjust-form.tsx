import { type AdminUser, adjustBalance } from "@millrace/contract";
import { formatMoneyExact } from "@millrace/units";
import { useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAdjustBalance } from "../api.ts";
import { newKey } from "../../../shared/new-key.ts";
import { AgainField, AmountField, BalanceAfter, TypedAmount, againError, amountError } from "./amount-field.tsx";

const { amount: Amount, reason: Reason } = adjustBalance.body.shape;
const WAYS = [
  { value: "bonus", label: "Bonus", kind: "bonus", sign: 1 },
  { value: "add", label: "Correction, add", kind: "correction", sign: 1 },
  { value: "take", label: "Correction, take", kind: "correction", sign: -1 },
] as const;
const Adjustment = z.object({
  way: z.enum(WAYS.map(({ value }) => value)),
  amount: TypedAmount,
  again: z.string(),
  reason: Reason,
});

const wayOf = (value: string | undefined) => WAYS.find((way) => way.value === value) ?? WAYS[0];

/** Gives a publisher a bonus, or corrects their balance up or down. */
export function AdjustForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const adjust = useAdjustBalance();
  // One key while the form is open, so a retry after a lost reply books the money once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: Adjustment,
    initial: { way: "bonus", amount: "", again: "", reason: "" },
    check: ({ way, ...typed }) => ({ ...againError(typed), ...amountError(typed.amount, Amount, wayOf(way).sign) }),
    send: ({ way, amount, reason }) => {
      const { kind, sign } = wayOf(way);
      return adjust.mutateAsync({ id: user.uuid, kind, amount: (microsOf(amount) ?? 0) * sign, reason, key });
    },
    onDone: ({ balance }) => {
      tell(`The balance of ${user.email} is now ${formatMoneyExact(balance)}`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <BalanceAfter
        email={user.email}
        balance={user.balance}
        typed={form.values.amount}
        sign={wayOf(form.values.way).sign}
      />
      <ChoiceField {...form.field("way")} label="What for" options={WAYS} inLines />
      <AmountField {...form.field("amount")} data-autofocus />
      <AgainField {...form.field("again")} amount={form.values.amount} />
      <TextAreaField {...form.field("reason")} label="Reason, which the publisher sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>Adjust balance</Submit>
    </Form>
  );
}
