import { redeemTicket } from "@millrace/contract";
import { useState } from "react";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { sendTicket } from "./api.ts";
import { Refusal } from "../auth/refusal.tsx";
import { CodeFields } from "../../../shared/form/code-fields.tsx";
import { useFinishSignIn } from "../use-finish-sign-in.ts";
import { NewPasswordFields, passwordsMatch } from "./new-password-fields.tsx";
import { PasswordSaved } from "./password-saved.tsx";

/** Asks for a new password and, if the user has an authenticator, a code. */
export function ChangeForm({ ticket, pass, codeNeeded }: { ticket: string; pass: boolean; codeNeeded: boolean }) {
  const { enter } = useFinishSignIn();
  const [saved, setSaved] = useState(false);
  const form = useContractForm({
    schema: redeemTicket.body,
    initial: { pass: "", pass_confirm: "", ...(codeNeeded ? { otp_code: "" } : {}) },
    check: passwordsMatch,
    send: (body) => sendTicket(ticket, body),
    onDone: (reply) => {
      enter(reply.redirect_to);
      setSaved(true);
    },
  });
  if (saved) return <PasswordSaved pass={pass} />;
  return (
    <Form {...form.props}>
      <NewPasswordFields pass={form.field("pass")} again={form.field("pass_confirm")} />
      {codeNeeded ? (
        <CodeFields
          otp={form.field("otp_code")}
          recovery={form.field("recovery_code")}
          onSwap={form.set}
          first={false}
        />
      ) : null}
      <Submit {...form.submit} message={<Refusal text={form.submit.message} />}>
        Save password
      </Submit>
    </Form>
  );
}
