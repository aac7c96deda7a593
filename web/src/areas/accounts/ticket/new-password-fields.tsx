import { TEXTS } from "@millrace/contract";
import type { FieldProps } from "../../../ui/form/field-props.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";

/** The errors of a password and its repetition. */
export const passwordsMatch = ({ pass, pass_confirm }: { pass?: string; pass_confirm?: string }) => ({
  pass_confirm: pass === pass_confirm ? undefined : TEXTS.passwordsDiffer,
});

/** A new password, twice. */
export function NewPasswordFields({ pass, again }: { pass: FieldProps<string>; again: FieldProps<string> }) {
  return (
    <>
      <PasswordField {...pass} label="New password" autoComplete="new-password" />
      <PasswordField {...again} label="Repeat the password" autoComplete="new-password" />
    </>
  );
}
