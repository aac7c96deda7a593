import { Button } from "@mantine/core";
import { askSupport } from "@millrace/contract";
import { type Ref, useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-field.tsx";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import { useAskSupport } from "./api.ts";
import classes from "./support.module.css";

interface MailPanelProps {
  /** The popover that holds it. */
  panel: string;
  open: boolean;
}

/** Writes to support. */
export function MailPanel({ panel, open }: MailPanelProps) {
  const ask = useAskSupport();
  const [reply, setReply] = useState<string | null>(null);
  const form = useContractForm({
    schema: askSupport.body.omit({ page: true }),
    initial: { message: "" },
    send: ({ message }) => ask.mutateAsync({ message, page: location.pathname + location.search }),
    onDone: (sent) => {
      setReply(sent.message);
      form.reset();
    },
  });
  // Opened again after a message was sent, it is there for the next one.
  if (reply !== null && !open) setReply(null);
  if (reply !== null) return <Sent reply={reply} panel={panel} />;
  return (
    <>
      <h2 className={classes.title}>Ask support</h2>
      <Form {...form.props}>
        <TextAreaField
          {...form.field("message")}
          label="Message"
          description="Your name, e-mail and this page's address go with it."
          rows={5}
          maxLength={5000}
          takesFocus={open}
        />
        <Submit {...form.submit} beside={<Close panel={panel} text="Cancel" />}>
          Send message
        </Submit>
      </Form>
    </>
  );
}

function Sent({ reply, panel }: { reply: string; panel: string }) {
  const close = useTakenFocus<HTMLButtonElement>();
  return (
    <>
      <h2 className={classes.title}>Ask support</h2>
      <p className={classes.sent} role="status">
        {reply}
      </p>
      <Close ref={close} panel={panel} text="Close" />
    </>
  );
}

const Close = ({ ref, panel, text }: { ref?: Ref<HTMLButtonElement>; panel: string; text: string }) => (
  <Button ref={ref} variant="default" popoverTarget={panel} popoverTargetAction="hide">
    {text}
  </Button>
);
