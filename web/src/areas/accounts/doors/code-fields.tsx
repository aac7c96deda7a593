import { useState } from "react";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { CodeField, TextField } from "../../../ui/form/text-field.tsx";
import classes from "./doors.module.css";

interface CodeFieldsProps {
  otp: FieldProps<string>;
  recovery: FieldProps<string>;
  /** False where other fields come before it. */
  first?: boolean;
  /** Which of the two is asked for; the other is not sent. */
  onSwap: (values: { otp_code: string | undefined; recovery_code: string | undefined }) => void;
}

/** The second step: a code of the authenticator or, for the day it is lost, a recovery code. */
export function CodeFields({ otp, recovery, first = true, onSwap }: CodeFieldsProps) {
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
        <CodeField key="otp" {...otp} label="Code from your authenticator" takesFocus={takesFocus} />
      )}
      <button type="button" className={classes.plain} onClick={swap}>
        {byRecovery ? "Use the authenticator instead" : "Use a recovery code instead"}
      </button>
    </>
  );
}
