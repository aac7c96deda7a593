import { redeemTicket } from "@millrace/contract";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { sendTicket } from "./api.ts";
import { Refusal } from "../auth/refusal.tsx";
import { CodeFields } from "../../../shared/form/code-fields.tsx";
import { useFinishSignIn } from "../use-finish-sign-in.ts";
import { ChangeForm } from "./change-form.tsx";
import { PasswordSaved } from "./password-saved.tsx";
import classes from "./ticket.module.css";

interface ActivatePasswordProps {
  ticket: string;
  pass: boolean;
  codeNeeded: boolean;
  hasPass: boolean;
}

/** Activates a password that was chosen in the profile, at once or after a code. */
export function ActivatePassword({ ticket, pass, codeNeeded, hasPass }: ActivatePasswordProps) {
  const [saved, setSaved] = useState(false);
  const { enter } = useFinishSignIn();
  const done = (redirectTo: string) => {
    enter(redirectTo);
    setSaved(true);
  };
  if (saved) return <PasswordSaved pass={pass} />;
  if (!hasPass) return <ChangeForm ticket={ticket} pass={pass} codeNeeded={codeNeeded} />;
  return codeNeeded ? <CodeForm ticket={ticket} onDone={done} /> : <AtOnce ticket={ticket} onDone={done} />;
}

interface StepProps {
  ticket: string;
  onDone: (redirectTo: string) => void;
}

function CodeForm({ ticket, onDone }: StepProps) {
  const form = useContractForm({
    schema: redeemTicket.body,
    initial: { otp_code: "" },
    send: (body) => sendTicket(ticket, body),
    onDone: (reply) => onDone(reply.redirect_to),
  });
  return (
    <Form {...form.props}>
      <CodeFields otp={form.field("otp_code")} recovery={form.field("recovery_code")} onSwap={form.set} />
      <Submit {...form.submit} message={<Refusal text={form.submit.message} />}>
        Change password
      </Submit>
    </Form>
  );
}

function AtOnce({ ticket, onDone }: StepProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const started = useRef(false);
  const finish = useRef(onDone);
  useEffect(() => {
    // A link works once, and effects run twice in development.
    if (started.current) return;
    started.current = true;
    sendTicket(ticket, {}).then(
      (reply) => finish.current(reply.redirect_to),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, [ticket]);
  if (failure !== null) {
    return (
      <p className={classes.failed} role="alert">
        <Refusal text={failure} />
      </p>
    );
  }
  return (
    <div role="status" className={classes.checking}>
      <p>Changing the password ...</p>
      <SkeletonBar height="36px" />
    </div>
  );
}
