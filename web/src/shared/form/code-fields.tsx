import { RecoveryCode } from "@millrace/contract";
import { useState } from "react";
import { z } from "zod";
import type { FieldProps } from "../../ui/form/field-props.ts";
import { CodeField, TextField } from "../../ui/form/text-field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SetupCode } from "./setup-code.ts";

/** Either kind of code. Calls take one field for both, but the page shows errors per field. */
export const EitherCode = z.strictObject({ otp_code: SetupCode.optional(), recovery_code: RecoveryCode.optional() });

/** The code that was entered. */
export const codeOf = ({ otp_code, recovery_code }: z.input<typeof EitherCode>): string =>
  (otp_code ?? recovery_code ?? "").trim();

interface CodeFieldsProps {
  otp: FieldProps<string>;
  recovery: FieldProps<string>;
  label?: string;
  /** False if other fields come before it. */
  first?: boolean;
  /** The kind of code to ask for; the other is not sent. */
  onSwap: (values: { otp_code: string | undefined; recovery_code: string | undefined }) => void;
}

/** The second factor: a code of the authenticator or, if it is lost, a recovery code. */
export function CodeFields(props: CodeFieldsProps) {
  const { otp, recovery, label = "Code from your authenticator", first = true, onSwap } = props;
  const [byRecovery, setByRecovery] = useState(false);
  const [swapped, setSwapped] = useState(false);
  const takesFocus = first || swapped;
  const swap = () => {
    setByRecovery(!byRecovery);
    setSwapped(true);
    onSwap(byRecovery ? { otp_code: "", recovery_code: undefined } : { otp_code: undefined, recovery_code: "" });
  };
  return (
    <>
      {byRecovery ? (
        <TextField key="recovery" {...recovery} label="Recovery code" autoComplete="off" takesFocus={takesFocus} />
      ) : (
        <CodeField key="otp" {...otp} label={label} takesFocus={takesFocus} />
      )}
      <LinkButton onClick={swap}>
        {byRecovery ? "Use the authenticator instead" : "Use a recovery code instead"}
      </LinkButton>
    </>
  );
}
