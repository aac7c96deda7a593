import { type Deduction, DISPUTE_DAYS, disputeDeduction } from "@millrace/contract";
import { formatDay } from "@millrace/units";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { useContractForm } from "../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../ui/form/form.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import { useNotify } from "../../ui/notify/notify.tsx";
import classes from "./deductions-page.module.css";

/** Says why a deduction is wrong, once. */
export function DisputeForm({ deduction, onDone }: { deduction: Deduction; onDone: () => void }) {
  const { tell } = useNotify();
  const client = useQueryClient();
  const dispute = useMutation({
    mutationFn: (text: string) => callApi(disputeDeduction, { params: { id: deduction.uuid }, body: { text } }),
    // A refusal says that the list is out of date.
    onSettled: () => client.invalidateQueries({ queryKey: ["deductions"] }),
  });
  const form = useContractForm({
    schema: disputeDeduction.body,
    initial: { text: "" },
    send: ({ text }) => dispute.mutateAsync(text),
    onDone: () => {
      tell("Your dispute was sent. You will get the answer by mail, and here.");
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.until}>
        You can dispute this once, until {formatDay(deduction.dispute_until)} (UTC): {DISPUTE_DAYS} days after it was
        noted.
      </p>
      <TextAreaField {...form.field("text")} label="Why is it wrong?" rows={6} maxLength={2000} data-autofocus />
      <Submit {...form.submit}>Send dispute</Submit>
    </Form>
  );
}
