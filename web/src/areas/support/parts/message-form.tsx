import { askSupport } from "@millrace/contract";
import { type ReactNode, useEffect } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useAskSupport } from "../api.ts";

interface MessageFormProps {
  rows: number;
  onSent: (reply: string) => void;
  /** Told whether there is a message that was not sent. */
  onTyped?: (dirty: boolean) => void;
  /** Takes the focus whenever it appears. */
  takesFocus?: boolean;
  beside?: ReactNode;
}

/** A form that sends a message to support. */
export function MessageForm({ rows, onSent, onTyped, takesFocus = false, beside }: MessageFormProps) {
  const ask = useAskSupport();
  const form = useContractForm({
    schema: askSupport.body.omit({ page: true }),
    initial: { message: "" },
    send: ({ message }) => ask.mutateAsync({ message, page: location.pathname + location.search }),
    onDone: (sent) => {
      onSent(sent.message);
      form.reset();
    },
  });
  const { dirty } = form;
  useEffect(() => onTyped?.(dirty), [dirty, onTyped]);
  return (
    <Form {...form.props}>
      <TextAreaField
        {...form.field("message")}
        label="Message"
        description="Your name, e-mail and the address of this page are included."
        rows={rows}
        maxLength={5000}
        takesFocus={takesFocus}
      />
      <Submit {...form.submit} beside={beside}>
        Send message
      </Submit>
    </Form>
  );
}
