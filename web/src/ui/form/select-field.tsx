import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
// The size of its chevron.
import "@mantine/core/styles/Combobox.layer.css";
import type { FieldProps } from "./field-props.ts";
import { INPUT_CLASSES } from "./text-field.tsx";

interface SelectFieldProps extends FieldProps<string> {
  label: string;
  description?: string;
  options: readonly { value: string; label: string }[];
  /** Shown until an option is chosen; without it, the first option is chosen. */
  placeholder?: string;
  disabled?: boolean;
}

/** A native select. */
export function SelectField({ error, value, onChange, options, placeholder, ...select }: SelectFieldProps) {
  // Options may have fields of their own, which are no attributes.
  const own = options.map((option) => ({ value: option.value, label: option.label }));
  const data = placeholder === undefined ? own : [{ value: "", label: placeholder }, ...own];
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
