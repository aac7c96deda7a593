import { type ReactNode, useId } from "react";
import type { FieldProps } from "./field-props.ts";
import classes from "./form.module.css";

/** A checkbox; its label may contain links. */
export function CheckboxField({ name, value, error, onChange, label }: FieldProps<boolean> & { label: ReactNode }) {
  const id = useId();
  return (
    <div className={classes.check}>
      <input
        type="checkbox"
        id={id}
        name={name}
        className={classes.box}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      <label htmlFor={id}>{label}</label>
      {error === undefined ? null : (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
