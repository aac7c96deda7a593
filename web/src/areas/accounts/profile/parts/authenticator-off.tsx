import { CodeFields, EitherCode, codeOf } from "../../../../shared/form/code-fields.tsx";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../../shared/paths.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { useClearOtpSecret } from "../api.ts";
import { useLeave } from "../use-leave.ts";
import classes from "./parts.module.css";

/** Switches the authenticator off with one of its codes or, if it is lost, a recovery code. */
export function AuthenticatorOff({ onCancel }: { onCancel: () => void }) {
  const clear = useClearOtpSecret();
  const leave = useLeave();
  const form = useContractForm({
    schema: EitherCode,
    initial: { otp_code: "" },
    send: (given) => clear.mutateAsync(codeOf(given)),
    onDone: () =>
      leave(
        PATHS.login,
        "Two-factor authentication is off",
        "Please log in again. From now on your password alone signs you in.",
      ),
  });
  return (
    <div className={classes.editor}>
      <Form {...form.props}>
        <CodeFields
          otp={form.field("otp_code")}
          recovery={form.field("recovery_code")}
          label="Verification code"
          onSwap={form.set}
        />
        <Submit {...form.submit} danger onCancel={onCancel}>
          Disable
        </Submit>
      </Form>
    </div>
  );
}
