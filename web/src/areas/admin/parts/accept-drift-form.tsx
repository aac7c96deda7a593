import { type Books, acceptDrift } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAcceptDrift } from "../api.ts";
import classes from "./parts.module.css";

export type Drift = Books["drifts"][number];

interface AcceptDriftFormProps {
  drift: Drift;
  /** Names the difference. */
  about: string;
  onDone: () => void;
}

/** Accepts a difference between books and events that will not go away, so that its account is paid again. */
export function AcceptDriftForm({ drift, about, onDone }: AcceptDriftFormProps) {
  const { tell } = useNotify();
  const accept = useAcceptDrift();
  const { id, counted, booked } = drift;
  const form = useContractForm({
    schema: acceptDrift.body,
    initial: { counted, booked, reason: "" },
    send: (body) => accept.mutateAsync({ id, ...body }),
    onDone: () => {
      tell("The difference is accepted, and holds back no payment any more");
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {about} The books stay as they are. If a count finds another amount, the difference is open again.
      </p>
      <TextAreaField
        {...form.field("reason")}
        label="Reason, kept in the audit log"
        rows={3}
        maxLength={500}
        data-autofocus
      />
      <Submit {...form.submit}>Accept difference</Submit>
    </Form>
  );
}
