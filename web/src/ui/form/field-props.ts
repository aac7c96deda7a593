/** What ties a field to its form: every field of ours takes these, and `form.field("name")` gives them. */
export interface FieldProps<T> {
  name: string;
  value: T | undefined;
  /** What is wrong with it; stands under the field. */
  error: string | undefined;
  onChange: (value: T) => void;
}
