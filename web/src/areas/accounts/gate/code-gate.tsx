import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { useVerifyCode } from "../auth/api.ts";
import { CodeFields, EitherCode, codeOf } from "../../../shared/form/code-fields.tsx";
import { AuthFrame } from "../auth/auth-frame.tsx";
import classes from "../auth/auth.module.css";

/** Blocks every page until the session's authenticator code is entered. */
export function CodeGate() {
  const verify = useVerifyCode();
  const form = useContractForm({
    schema: EitherCode,
    initial: { otp_code: "" },
    send: (values) => verify.mutateAsync(codeOf(values)),
  });
  return (
    <AuthFrame title="Enter your code">
      <p className={classes.intro}>Your account is protected by an authenticator. Enter its code to continue.</p>
      <Form {...form.props}>
        <CodeFields otp={form.field("otp_code")} recovery={form.field("recovery_code")} onSwap={form.set} />
        <Submit
          {...form.submit}
          beside={
            <Button variant="default" renderRoot={(props) => <Link {...props} to={PATHS.logout} preload={false} />}>
              Log out
            </Button>
          }
        >
          Continue
        </Submit>
      </Form>
    </AuthFrame>
  );
}
