import { remind } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { sendRemind } from "./api.ts";
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
        If the address belongs to an account, the mail has a link to set a new password. The link is valid for an hour.
      </CheckMail>
    );
  }
  return (
    <>
      <p className={classes.intro}>We will mail you a link to set a new password.</p>
      <Form {...form.props}>
        <TextField {...form.field("email")} label="Email" type="email" autoComplete="username" data-autofocus />
        <Submit {...form.submit}>Send link</Submit>
      </Form>
      <div className={classes.others}>
        <span>
          Remembered it? <AuthLink authForm="login">Log in</AuthLink>
        </span>
      </div>
    </>
  );
}
