import { Button } from "@mantine/core";
import type { Profile } from "@millrace/contract";
import { useState } from "react";
import { messageOf } from "../../../../shared/call-api.ts";
import { CodeFields, EitherCode, codeOf } from "../../../../shared/form/code-fields.tsx";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../../shared/paths.ts";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { useReturnedFocus } from "../../../../ui/use-returned-focus.ts";
import { Panel } from "../../../../ui/panel.tsx";
import { useClearOtpSecret, useGenerateOtpSecret } from "../api.ts";
import { useLeave } from "../use-leave.ts";
import { AuthenticatorSetup } from "./authenticator-setup.tsx";
import classes from "./parts.module.css";

/** Two-factor authentication: off, in setup, or on. */
export function Authenticator({ profile }: { profile: Profile }) {
  return (
    <Panel
      title="Two-factor authentication"
      aside={profile.has_authenticator ? <b className={classes.on}>On</b> : "Off"}
    >
      {profile.has_authenticator ? <On left={profile.recovery_codes_left} /> : <Off email={profile.email} />}
    </Panel>
  );
}

function Off({ email }: { email: string }) {
  const generate = useGenerateOtpSecret();
  const button = useReturnedFocus(generate.data !== undefined);
  if (generate.data) return <AuthenticatorSetup setup={generate.data} email={email} onCancel={generate.reset} />;
  return (
    <>
      <p className={classes.about}>
        Signing in will require a 6-digit code from an authenticator app in addition to your password, so that a stolen
        password is not enough.
      </p>
      <div className={classes.buttons}>
        <Button ref={button} loading={generate.isPending} onClick={() => generate.mutate()}>
          Set up authenticator
        </Button>
      </div>
      {generate.error ? (
        <p className={classes.failed} role="alert">
          {messageOf(generate.error)}
        </p>
      ) : null}
    </>
  );
}

const FEW_CODES = 3;

function On({ left }: { left: number }) {
  const [ending, setEnding] = useState(false);
  const button = useReturnedFocus(ending);
  if (ending) return <AuthenticatorOff onCancel={() => setEnding(false)} />;
  return (
    <>
      <p className={classes.about}>Signing in requires a code from your authenticator app.</p>
      <p className={left < FEW_CODES ? classes.warning : classes.fact}>
        {left === 1 ? "1 recovery code is" : `${left} recovery codes are`} left.
        {left < FEW_CODES ? " To get new ones, disable the authenticator and set it up again." : ""}
      </p>
      <div className={classes.buttons}>
        <Button ref={button} variant="default" onClick={() => setEnding(true)}>
          Disable authenticator
        </Button>
      </div>
    </>
  );
}

/** Switches the authenticator off with one of its codes or, if it is lost, a recovery code. */
function AuthenticatorOff({ onCancel }: { onCancel: () => void }) {
  const clear = useClearOtpSecret();
  const leave = useLeave();
  const form = useContractForm({
    schema: EitherCode,
    initial: { otp_code: "" },
    send: (values) => clear.mutateAsync(codeOf(values)),
    onDone: () =>
      leave(
        PATHS.login,
        "Two-factor authentication is off",
        "Please log in again. Your password alone now signs you in.",
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
