import { Button } from "@mantine/core";
import { type Ref, useState } from "react";
import { useTakenFocus } from "../../../ui/use-taken-focus.ts";
import { MessageForm } from "./message-form.tsx";
import classes from "./support.module.css";

interface MessagePanelProps {
  /** The popover that holds it. */
  panel: string;
  open: boolean;
}

/** A panel on any page to write to support. */
export function MessagePanel({ panel, open }: MessagePanelProps) {
  const [reply, setReply] = useState<string | null>(null);
  // Reopened after a message was sent, the panel shows an empty form.
  if (reply !== null && !open) setReply(null);
  if (reply !== null) return <SentNote reply={reply} panel={panel} />;
  return (
    <>
      <h2 className={classes.title}>Ask support</h2>
      <MessageForm
        rows={5}
        lasting
        takesFocus={open}
        onSent={setReply}
        beside={<Close panel={panel} text="Cancel" />}
      />
    </>
  );
}

function SentNote({ reply, panel }: { reply: string; panel: string }) {
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
