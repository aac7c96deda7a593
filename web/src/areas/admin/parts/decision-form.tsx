import { TEXTS } from "@millrace/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import classes from "./parts.module.css";

const Decision = z.object({ reason: z.string().trim().max(500) });

interface DecisionFormProps {
  /** What follows from the decision. */
  about: string;
  ownerEmail: string;
  /** A refusal needs a reason. */
  refuses: boolean;
  /** The button's text: `Ban app`. */
  action: string;
  /** The message once it is done. */
  done: string;
  decide: (reason: string) => Promise<unknown>;
  onDone: () => void;
  /** What else is decided. */
  children?: ReactNode;
}

/** A moderator's decision, with the reason that the owner sees. */
export function DecisionForm({
  about,
  ownerEmail,
  refuses,
  action,
  done,
  decide,
  onDone,
  children,
}: DecisionFormProps) {
  const { tell } = useNotify();
  const form = useContractForm({
    schema: Decision,
    initial: { reason: "" },
    check: ({ reason }): Record<string, string> => (refuses && !reason?.trim() ? { reason: TEXTS.required } : {}),
    send: ({ reason }) => decide(reason),
    onDone: () => {
      tell(done);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {about} {ownerEmail} will be notified by mail{refuses ? ", with the reason." : "."}
      </p>
      {children}
      <TextAreaField
        {...form.field("reason")}
        label={refuses ? "Reason" : "Note to the owner (optional)"}
        rows={3}
        maxLength={500}
        data-autofocus
      />
      <Submit {...form.submit} danger={refuses}>
        {action}
      </Submit>
    </Form>
  );
}
