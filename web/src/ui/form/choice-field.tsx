import { useId } from "react";
import type { FieldProps } from "./field-props.ts";
import classes from "./form.module.css";

interface ChoiceFieldProps extends FieldProps<string> {
  label: string;
  options: readonly { value: string; label: string; hint?: string }[];
}

/** One of a few, all in sight with a word on each. */
export function ChoiceField({ name, value, error, onChange, label, options }: ChoiceFieldProps) {
  const id = useId();
  return (
    <fieldset
      role="radiogroup"
      className={classes.choices}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : id}
    >
      <legend className={classes.label}>{label}</legend>
      <div className={classes.options}>
        {options.map((option) => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
            {option.hint === undefined ? null : <small>{option.hint}</small>}
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p id={id} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
