import { OTP_DIGITS, RecoveryCode, TEXTS } from "@millrace/contract";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../shared/paths.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { useVerifyCode } from "../api.ts";
import { CodeFields } from "../doors/code-fields.tsx";
import { DoorFrame } from "../doors/door-frame.tsx";
import classes from "../doors/doors.module.css";

/** The call takes either code in one field; the page names what is wrong with each. */
const Given = z.strictObject({
  otp_code: z
    .string()
    .regex(new RegExp(`^\\d{${OTP_DIGITS}}$`), TEXTS.setupCodeLength)
    .optional(),
  recovery_code: RecoveryCode.optional(),
});

/** Stands before everything while the session owes its authenticator code. */
export function CodeGate() {
  const verify = useVerifyCode();
  const form = useContractForm({
    schema: Given,
    initial: { otp_code: "" },
    send: ({ otp_code, recovery_code }) => verify.mutateAsync(otp_code ?? recovery_code ?? ""),
  });
  return (
    <DoorFrame title="Enter your code">
      <p className={classes.intro}>Your account is guarded by an authenticator. Its code opens this session.</p>
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
    </DoorFrame>
  );
}
