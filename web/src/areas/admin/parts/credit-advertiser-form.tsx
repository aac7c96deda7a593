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
import { newKey } from "../new-key.ts";
import { AmountField, TypedAmount, amountError } from "./amount-field.tsx";
import classes from "./parts.module.css";

const { amount: Amount, reason: Reason } = creditAdvertiser.body.shape;
const WAYS = [
  { value: "give", label: "Credit", sign: 1 },
  { value: "take", label: "Take a credit back", sign: -1 },
] as const;
const Credit = z.object({ way: z.enum(WAYS.map(({ value }) => value)), amount: TypedAmount, reason: Reason });

const signOf = (way: string | undefined): number => WAYS.find(({ value }) => value === way)?.sign ?? 1;

/** Gives an advertiser money of the platform's own, or takes a credit back. */
export function CreditAdvertiserForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const credit = useCreditAdvertiser();
  // One key while the form is open, so a retry after a lost reply books the money once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: Credit,
    initial: { way: "give", amount: "", reason: "" },
    check: ({ amount, way }) => amountError(amount, Amount, signOf(way)),
    send: ({ way, amount, reason }) =>
      credit.mutateAsync({ id: user.uuid, amount: (microsOf(amount) ?? 0) * signOf(way), reason, key }),
    onDone: ({ campaign_balance: balance }) => {
      tell(`The balance of ${user.email} is now ${formatMoneyExact(balance)}`);
      onDone();
    },
  });
  const micros = microsOf(form.values.amount ?? "");
  const after = micros === null ? null : user.campaign_balance + micros * signOf(form.values.way);
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {user.email} has {formatMoneyExact(user.campaign_balance)}
        {after === null ? "." : `, and will have ${formatMoneyExact(after)}.`}
      </p>
      <p className={classes.about}>
        The platform bears a credit, as for invalid traffic. No money is received, so no invoice follows: use Refill for
        a payment.
      </p>
      <ChoiceField {...form.field("way")} label="What for" options={WAYS} inLines />
      <AmountField {...form.field("amount")} data-autofocus />
      <TextAreaField {...form.field("reason")} label="Reason, which the advertiser sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>Book the credit</Submit>
    </Form>
  );
}
