import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { FieldProps } from "./field-props.ts";
import { INPUT_CLASSES } from "./text-field.tsx";

interface SelectFieldProps extends FieldProps<string> {
  label: string;
  description?: string;
  options: readonly { value: string; label: string }[];
  /** What stands there while nothing is chosen; without it the first option is. */
  placeholder?: string;
  disabled?: boolean;
}

/** One of a few, from the browser's own list. */
export function SelectField({ error, value, onChange, options, placeholder, ...select }: SelectFieldProps) {
  const data = placeholder === undefined ? [...options] : [{ value: "", label: placeholder }, ...options];
  return (
    <NativeSelect
      {...select}
      data={data}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      aria-invalid={error !== undefined}
      classNames={INPUT_CLASSES}
    />
  );
}
