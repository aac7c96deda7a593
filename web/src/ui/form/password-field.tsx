import { PasswordInput } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import type { FieldProps } from "./field-props.ts";
import { INPUT_CLASSES } from "./text-field.tsx";

interface PasswordFieldProps extends FieldProps<string> {
  label: string;
  description?: string;
  /** Tells password managers whether to fill in or to generate a password. */
  autoComplete: "current-password" | "new-password";
}

/** A password field with a button to show the password. */
export function PasswordField({ error, value, onChange, ...input }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...input}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      classNames={INPUT_CLASSES}
    />
  );
}
