import { Button } from "@mantine/core";
import type { Reply, generateOtpSecret } from "@millrace/contract";
import { z } from "zod";
import { SetupCode } from "../../../../shared/form/setup-code.ts";
import { useContractForm } from "../../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../../shared/paths.ts";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { Form, Submit } from "../../../../ui/form/form.tsx";
import { CodeField } from "../../../../ui/form/text-field.tsx";
import { DownloadIcon } from "../../../../ui/icons.tsx";
import { useTakenFocus } from "../../../../ui/use-taken-focus.ts";
import { useSaveOtpSecret } from "../api.ts";
import { useLeave } from "../use-leave.ts";
import classes from "./parts.module.css";
import { QrCode } from "./qr-code.tsx";

interface AuthenticatorSetupProps {
  setup: Reply<typeof generateOtpSecret>;
  email: string;
  onCancel: () => void;
}

/** Three steps: scan the secret, save the recovery codes, confirm with a code. Only the last step switches it on. */
export function AuthenticatorSetup({ setup, email, onCancel }: AuthenticatorSetupProps) {
  const save = useSaveOtpSecret();
  const leave = useLeave();
  const first = useTakenFocus<HTMLHeadingElement>();
  const form = useContractForm({
    schema: z.object({ code: SetupCode }),
    initial: { code: "" },
    send: ({ code }) => save.mutateAsync({ code, secret: setup.otp_secret }),
    onDone: () =>
      leave(
        PATHS.login,
        "Two-factor authentication is on",
        "Please log in again. Signing in now requires a code from your authenticator app.",
      ),
  });
  return (
    <ol className={classes.steps}>
      <li>
        <h3 ref={first} tabIndex={-1}>
          Scan this with your authenticator app
        </h3>
        <div className={classes.scan}>
          <QrCode text={setup.otpauth_url} label="QR code of the authenticator secret" />
          <p>
            Or enter this secret:
            <span className={classes.code}>
              <CopyText text={setup.otp_secret} what="the secret" />
            </span>
          </p>
        </div>
      </li>
      <li>
        <h3>Save your recovery codes</h3>
        <p>If you lose your authenticator, each code signs you in once. They are shown only now.</p>
        <RecoveryCodes codes={setup.recovery_codes} email={email} />
      </li>
      <li>
        <h3>Enter the code from the app</h3>
        <p>You will be logged out and sign in again with a code.</p>
        <div className={classes.editor}>
          <Form {...form.props}>
            <CodeField {...form.field("code")} label="Verification code" />
            <Submit {...form.submit} onCancel={onCancel}>
              Switch on
            </Submit>
          </Form>
        </div>
      </li>
    </ol>
  );
}

/** The recovery codes, to be saved before the authenticator is switched on. */
function RecoveryCodes({ codes, email }: { codes: readonly string[]; email: string }) {
  const text = codes.join("\n");
  return (
    <>
      <div className={classes.codes}>
        <CopyText text={text} what="the recovery codes" />
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<DownloadIcon />}
        onClick={() => download(`Recovery codes for ${email}, each valid once:\n\n${text}\n`)}
      >
        Download codes
      </Button>
    </>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "recovery-codes.txt";
  link.click();
  // The browser has started the download by the next tick.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
