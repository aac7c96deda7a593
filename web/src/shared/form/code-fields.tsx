import { RecoveryCode } from "@millrace/contract";
import { useState } from "react";
import { z } from "zod";
import type { FieldProps } from "../../ui/form/field-props.ts";
import { CodeField, TextField } from "../../ui/form/text-field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SetupCode } from "./setup-code.ts";

/** One of the two codes: for calls that take either in one field, while the page names what is wrong with each. */
export const EitherCode = z.strictObject({ otp_code: SetupCode.optional(), recovery_code: RecoveryCode.optional() });

/** The one that was given. */
export const codeOf = ({ otp_code, recovery_code }: z.input<typeof EitherCode>): string =>
  (otp_code ?? recovery_code ?? "").trim();

interface CodeFieldsProps {
  otp: FieldProps<string>;
  recovery: FieldProps<string>;
  label?: string;
  /** False where other fields come before it. */
  first?: boolean;
  /** Which of the two is asked for; the other is not sent. */
  onSwap: (values: { otp_code: string | undefined; recovery_code: string | undefined }) => void;
}

/** The second step: a code of the authenticator or, for the day it is lost, a recovery code. */
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
