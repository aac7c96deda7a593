import { type AdminRefills, type AdminUser, takeBackRefill } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { messageOf } from "../../../shared/call-api.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { refillsQuery, useTakeBackRefill } from "../api.ts";
import { newKey } from "../../../shared/new-key.ts";
import { AmountField, TypedAmount, amountError } from "./amount-field.tsx";
import classes from "./parts.module.css";

const { amount: Amount, reason: Reason } = takeBackRefill.body.shape;
const TakenBack = z.object({ refill: z.string().min(1, "Choose the refill"), amount: TypedAmount, reason: Reason });

/** Takes a mistaken refill, or a part of it, off an advertiser's campaign balance. */
export function TakeBackForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const takeBack = useTakeBackRefill();
  const refills = useQuery(refillsQuery(user.uuid));
  // One key while the form is open, so a retry after a lost reply takes the money once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: TakenBack,
    initial: { refill: "", amount: "", reason: "" },
    check: ({ amount }) => amountError(amount, Amount),
    send: ({ amount, ...rest }) => takeBack.mutateAsync({ id: user.uuid, ...rest, amount: microsOf(amount) ?? 0, key }),
    onDone: ({ campaign_balance }) => {
      tell(`The balance of ${user.email} is now ${formatMoneyExact(campaign_balance)}`);
      onDone();
    },
  });
  const left = (refills.data?.refills ?? []).filter((refill) => leftOf(refill) > 0);
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {user.email} has {formatMoneyExact(user.campaign_balance)}. What is spent, or held by running campaigns, stays.
      </p>
      <SelectField
        {...form.field("refill")}
        label="Refill"
        placeholder={placeholderOf(refills, left.length)}
        options={left.map((refill) => ({ value: refill.key, label: labelOf(refill) }))}
        data-autofocus
      />
      <AmountField {...form.field("amount")} />
      <p className={classes.about}>
        An invoice that was issued for it stays as it is: cancel it under Invoices. What is left of the refill is
        invoiced anew.
      </p>
      <TextAreaField {...form.field("reason")} label="Reason, which the advertiser sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>Take back</Submit>
    </Form>
  );
}

type Refill = AdminRefills["refills"][number];

const leftOf = ({ amount, taken_back: takenBack }: Refill): number => amount - takenBack;

const labelOf = (refill: Refill): string =>
  `${formatDay(refill.at.slice(0, 10))}, ${formatMoneyExact(leftOf(refill))}, ${refill.reason}`;

function placeholderOf({ data, error }: { data: AdminRefills | undefined; error: Error | null }, count: number) {
  if (error) return messageOf(error);
  if (!data) return "Loading refills";
  return count === 0 ? "There is no refill to take back" : "Choose the refill";
}
