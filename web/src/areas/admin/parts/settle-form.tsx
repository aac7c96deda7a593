import { type AdminPayouts, settlePayout } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSettlePayout } from "../api.ts";
import classes from "./parts.module.css";

const FATES = [
  { value: "paid", label: "It was paid" },
  { value: "not_paid", label: "It was not paid, and will not be" },
] as const;
const Fate = z.object({ fate: z.enum(FATES.map(({ value }) => value)), reason: settlePayout.body.shape.reason });

/** Says what became of a payout whose provider does not say it: a person has looked it up there, or paid it by hand. */
export function SettleForm({ payout, onDone }: { payout: AdminPayouts["payouts"][number]; onDone: () => void }) {
  const { tell } = useNotify();
  const settle = useSettlePayout();
  const form = useContractForm({
    schema: Fate,
    initial: { fate: "paid", reason: "" },
    send: ({ fate, reason }) => settle.mutateAsync({ id: payout.id, paid: fate === "paid", reason }),
    onDone: ({ state }) => {
      tell(state === "paid" ? "The payout is settled as paid" : "The money is back on the publisher’s balance");
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {formatMoney(payout.amount)} to {payout.account ?? "a deleted account"} by {payout.method}. Look at the provider
        first: money that is returned here is paid again next month.
      </p>
      <ChoiceField {...form.field("fate")} label="What became of it" options={FATES} inLines />
      <TextAreaField
        {...form.field("reason")}
        label="How you know. The publisher sees it if it was not paid"
        rows={3}
        maxLength={500}
      />
      <Submit {...form.submit}>Settle payout</Submit>
    </Form>
  );
}
