import { remind } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { sendRemind } from "../api.ts";
import { CheckMail } from "./check-mail.tsx";
import { AuthLink } from "./auth-link.tsx";
import classes from "./auth.module.css";

/** Asks for a link that sets a new password. */
export function RecoveryForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useContractForm({
    schema: remind.body,
    initial: { email: "" },
    send: sendRemind,
    onDone: (reply) => setSentTo(reply.sent_to),
  });
  if (sentTo !== null) {
    return (
      <CheckMail email={sentTo} onBack={() => setSentTo(null)}>
        If it belongs to an account, the link in it sets a new password; it is good for an hour.
      </CheckMail>
    );
  }
  return (
    <>
      <p className={classes.intro}>We mail you a link that sets a new password.</p>
      <Form {...form.props}>
        <TextField {...form.field("email")} label="Email" type="email" autoComplete="username" data-autofocus />
        <Submit {...form.submit}>Send the link</Submit>
      </Form>
      <div className={classes.others}>
        <span>
          Remembered it? <AuthLink authForm="login">Log in</AuthLink>
        </span>
      </div>
    </>
  );
}
