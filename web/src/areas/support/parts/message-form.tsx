import { askSupport } from "@millrace/contract";
import type { ReactNode } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useAskSupport } from "../api.ts";

interface MessageFormProps {
  rows: number;
  onSent: (reply: string) => void;
  /** Whether it stays mounted on every page. */
  lasting?: boolean;
  /** Takes the focus whenever it appears. */
  takesFocus?: boolean;
  beside?: ReactNode;
}

/** A form that sends a message to support. */
export function MessageForm({ rows, onSent, lasting = false, takesFocus = false, beside }: MessageFormProps) {
  const ask = useAskSupport();
  const form = useContractForm({
    schema: askSupport.body.omit({ page: true }),
    initial: { message: "" },
    lasting,
    send: ({ message }) => ask.mutateAsync({ message, page: location.pathname + location.search }),
    onDone: (sent) => {
      onSent(sent.message);
      form.reset();
    },
  });
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
