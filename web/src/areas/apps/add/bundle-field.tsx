import type { FieldProps } from "../../../ui/form/field-props.ts";
import { TextField } from "../../../ui/form/text-field.tsx";

/** An app's bundle id, without autocorrection. */
export const BundleField = (field: FieldProps<string>) => (
  <TextField
    {...field}
    label="Bundle ID"
    placeholder="com.example.app"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={200}
  />
);
