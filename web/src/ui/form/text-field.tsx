import { TextInput, type TextInputProps, Textarea, type TextareaProps } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { FieldProps } from "./field-props.ts";
import classes from "./form.module.css";

export const INPUT_CLASSES = {
  label: classes.label ?? "",
  description: classes.hint ?? "",
  error: classes.error ?? "",
  input: classes.input ?? "",
};

type Rest<P> = Omit<P, keyof FieldProps<string> | "classNames" | "label">;

/** A line of text. */
export function TextField({
  error,
  value,
  onChange,
  ...input
}: FieldProps<string> & { label: string } & Rest<TextInputProps>) {
  return (
    <TextInput
      {...input}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      classNames={INPUT_CLASSES}
    />
  );
}

/** Several lines of text. */
export function TextAreaField({
  error,
  value,
  onChange,
  ...input
}: FieldProps<string> & { label: string } & Rest<TextareaProps>) {
  return (
    <Textarea
      {...input}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      classNames={{ ...INPUT_CLASSES, input: `${classes.input} ${classes.area}` }}
    />
  );
}

/** A code of an authenticator: digits alone, and the telephone's keyboard for them. Spaces of a pasted code go. */
export function CodeField({ onChange, ...field }: FieldProps<string> & { label: string; autoFocus?: boolean }) {
  return (
    <TextInput
      {...field}
      value={field.value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\s/g, ""))}
      aria-invalid={field.error !== undefined}
      data-autofocus={field.autoFocus === true ? true : undefined}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      classNames={{ ...INPUT_CLASSES, input: `${classes.input} ${classes.code}` }}
    />
  );
}
