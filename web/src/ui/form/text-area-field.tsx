import { Textarea, type TextareaProps } from "@mantine/core";
import { useTakenFocus } from "../use-taken-focus.ts";
import type { FieldProps } from "./field-props.ts";
import classes from "./form.module.css";
import { INPUT_CLASSES, type Labelled, type Rest } from "./text-field.tsx";

/** A multi-line text field. */
export function TextAreaField({
  error,
  value,
  onChange,
  takesFocus = false,
  ...input
}: FieldProps<string> & Labelled & Rest<TextareaProps>) {
  return (
    <Textarea
      {...input}
      ref={useTakenFocus<HTMLTextAreaElement>(takesFocus)}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      classNames={{ ...INPUT_CLASSES, input: `${classes.input} ${classes.area}` }}
    />
  );
}
