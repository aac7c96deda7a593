import { TextInput, type TextInputProps } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import type { FieldProps } from "./field-props.ts";
import { useTakenFocus } from "../use-taken-focus.ts";
import classes from "./form.module.css";

export const INPUT_CLASSES = {
  label: classes.label ?? "",
  description: classes.hint ?? "",
  error: classes.error ?? "",
  input: classes.input ?? "",
};

export type Rest<P> = Omit<P, keyof FieldProps<string> | "classNames" | "label">;

export interface Labelled {
  label: string;
  /** Takes the focus from the field that it replaces. */
  takesFocus?: boolean;
}

/** A single-line text field. */
export function TextField({
  error,
  value,
  onChange,
  takesFocus = false,
  ...input
}: FieldProps<string> & Labelled & Rest<TextInputProps>) {
  return (
    <TextInput
      {...input}
      ref={useTakenFocus<HTMLInputElement>(takesFocus)}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      classNames={INPUT_CLASSES}
    />
  );
}

/** An authenticator code: digits only, with the numeric keyboard on phones. Spaces are removed from pasted codes. */
export function CodeField({ onChange, takesFocus = false, ...field }: FieldProps<string> & Labelled) {
  return (
    <TextInput
      {...field}
      ref={useTakenFocus<HTMLInputElement>(takesFocus)}
      value={field.value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\s/g, ""))}
      aria-invalid={field.error !== undefined}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      classNames={{ ...INPUT_CLASSES, input: `${classes.input} ${classes.code}` }}
    />
  );
}
