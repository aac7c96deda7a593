import { type AdminPayouts, settlePayout } from "@millrace/contract";
import { dayOf, formatMoney } from "@millrace/units";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSettlePayout } from "../api.ts";
import classes from "./parts.module.css";

const FATES = [
  { value: "paid", label: "It was paid" },
  { value: "not_paid", label: "It was not paid, and will not be" },
] as const;
const { reason, paid_on: paidOn } = settlePayout.body.shape;
const Fate = z.object({
  fate: z.enum(FATES.map(({ value }) => value)),
  paid_on: z.literal("").or(paidOn.unwrap()),
  reason,
});

type Payout = AdminPayouts["payouts"][number];

/** The form's question for each state: due, on its way, paid, and returned to a deleted account. */
const WORDS = {
  due: {
    about:
      "It is not ordered yet. Once you reject it, it never is: the money is back on the balance, and a later month pays it unless something holds that back.",
    reason: "Why. The publisher sees it",
    submit: "Reject payout",
  },
  onItsWay: {
    about: "Find out first whether it arrived: money that is given back here is paid again with a later month.",
    reason: "How you know. The publisher sees it if it was not paid",
    submit: "Settle payout",
  },
  paid: {
    about:
      "It is settled as paid. If the bank has returned it since, say so here: the money is back on the balance, and a later month pays it unless something holds that back.",
    reason: "Why it came back. The publisher sees it",
    submit: "Give the money back",
  },
  rejected: {
    about:
      "It came back after the account was deleted, and no run pays it again. If you have paid it by hand since, say so here: the money leaves the balance.",
    reason: "How you have paid it",
    submit: "Settle as paid",
  },
} as const;

/**
 * Records the outcome of a payout whose provider does not report it: an admin has looked it up there, paid it by hand, or
 * heard of its return. Also rejects a payout that is due.
 */
export function SettleForm({ payout, onDone }: { payout: Payout; onDone: () => void }) {
  const { tell } = useNotify();
  const settle = useSettlePayout();
  const { state: was } = payout;
  const words = was === "sending" || was === "sent" ? WORDS.onItsWay : WORDS[was];
  const form = useContractForm({
    schema: Fate,
    initial: { fate: was === "due" || was === "paid" ? "not_paid" : "paid", paid_on: dayOf(Date.now()), reason: "" },
    send: ({ fate, paid_on: on, reason }) => {
      const paid = fate === "paid";
      return settle.mutateAsync({ id: payout.id, paid, reason, ...(paid && on !== "" && { paid_on: on }) });
    },
    onDone: ({ state }) => {
      tell(state === "paid" ? "The payout is settled as paid" : "The money is back on the publisher’s balance");
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {formatMoney(payout.amount)} to {payout.account ?? "a deleted account"} by {payout.method}. {words.about}
      </p>
      {words === WORDS.onItsWay ? (
        <ChoiceField {...form.field("fate")} label="What became of it" options={FATES} inLines data-autofocus />
      ) : null}
      {form.values.fate === "paid" ? (
        <TextField
          {...form.field("paid_on")}
          label="Paid on (UTC)"
          description="For the statement; today if left empty"
          type="date"
          min={dayOf(Date.parse(payout.created_at))}
          max={dayOf(Date.now())}
        />
      ) : null}
      <TextAreaField {...form.field("reason")} label={words.reason} rows={3} maxLength={500} data-autofocus />
      <Submit {...form.submit}>{words.submit}</Submit>
    </Form>
  );
}
