import { type AdminInvoices, creditInvoice } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useCreditInvoice } from "../api.ts";
import classes from "./parts.module.css";

/** Cancels a document by a credit note; the account gets both, and a new document if its billing details allow one. */
export function CreditForm({ invoice, onDone }: { invoice: AdminInvoices["invoices"][number]; onDone: () => void }) {
  const { tell } = useNotify();
  const credit = useCreditInvoice();
  const form = useContractForm({
    schema: creditInvoice.body,
    initial: { reason: "" },
    send: ({ reason }) => credit.mutateAsync({ id: invoice.id, reason }),
    onDone: ({ credit_note: creditNote, invoice: renewed }) => {
      tell(
        `${creditNote} cancels ${invoice.number}. ${renewed === null ? "No invoice follows for now." : `${renewed} takes its place.`}`,
      );
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {invoice.number} of {formatMoney(invoice.total)} for {invoice.name} stays as it is. A credit note of the same
        amount cancels it, and a new invoice is made from the account’s present billing details. No balance changes.
      </p>
      <TextAreaField
        {...form.field("reason")}
        label="Reason, as it stands on the credit note"
        rows={3}
        maxLength={300}
        data-autofocus
      />
      <Submit {...form.submit}>Issue credit note</Submit>
    </Form>
  );
}
