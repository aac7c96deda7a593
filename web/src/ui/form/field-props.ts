/** The props that connect a field to its form; `form.field("name")` returns them. */
export interface FieldProps<T> {
  name: string;
  value: T | undefined;
  /** The error message, shown under the field. */
  error: string | undefined;
  onChange: (value: T) => void;
}
