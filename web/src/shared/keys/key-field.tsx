import type { KeyProperty } from "@millrace/contract";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import type { FieldProps } from "../../ui/form/field-props.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";

interface KeyFieldProps {
  /** The field's description in the form. */
  field: Pick<FieldProps<string>, "name" | "error"> & { value: unknown; onChange: (value: never) => void };
  property: KeyProperty;
  required: boolean;
}

/** One key of a partner, rendered from its schema. */
export function KeyField({ field, property, required }: KeyFieldProps) {
  const label = `${property.title}${required ? " *" : ""}`;
  if (property.type === "boolean")
    return <CheckboxField {...(field as unknown as FieldProps<boolean>)} label={label} />;
  const text = field as unknown as FieldProps<string>;
  const about = property.description === undefined ? {} : { description: property.description };
  if (property.enum !== undefined) {
    return (
      <SelectField
        {...text}
        {...about}
        label={label}
        placeholder="Choose"
        options={property.enum.map((value) => ({ value: String(value), label: String(value) }))}
      />
    );
  }
  const listOfNumbers = property.items !== undefined && property.items.type !== "string";
  return (
    <TextField
      {...text}
      {...about}
      label={label}
      aria-required={required}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...(property.type === "array" && { placeholder: listOfNumbers ? "1, 2, 3" : "one, two, three" })}
      maxLength={2000}
    />
  );
}
