import { RecoveryCode } from "@millrace/contract";
import { useEffect, useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { CodeField, TextField } from "../../../ui/form/text-field.tsx";
import { useClearOtpSecret } from "../api.ts";
import { SetupCode } from "../setup-code.ts";
import { useLeave } from "../use-leave.ts";
import classes from "./parts.module.css";

/** Switches the authenticator off, proven by a code of it or, where it is lost, by a recovery code. */
export function AuthenticatorOff({ onCancel }: { onCancel: () => void }) {
  const clear = useClearOtpSecret();
  const leave = useLeave();
  const [lost, setLost] = useState(false);
  const form = useContractForm({
    schema: z.object({ code: lost ? RecoveryCode : SetupCode }),
    initial: { code: "" },
    send: ({ code }) => clear.mutateAsync(code.trim()),
    onDone: () =>
      leave(
        PATHS.login,
        "Two-factor authentication is off",
        "Please log in again. From now on your password alone signs you in.",
      ),
  });
  const { ref } = form.props;
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  return (
    <div className={classes.editor}>
      <Form {...form.props}>
        {lost ? (
          <TextField {...form.field("code")} label="Recovery code" autoComplete="off" maxLength={32} />
        ) : (
          <CodeField {...form.field("code")} label="Verification code" />
        )}
        <button
          type="button"
          className={classes.link}
          onClick={() => {
            form.reset();
            setLost(!lost);
          }}
        >
          {lost ? "Use a code of the authenticator" : "Use a recovery code"}
        </button>
        <Submit {...form.submit} danger onCancel={onCancel}>
          Disable
        </Submit>
      </Form>
    </div>
  );
}
