import { type ReactNode, useId } from "react";
import { useTakenFocus } from "../use-taken-focus.ts";
import type { FieldProps } from "./field-props.ts";
import classes from "./form.module.css";

interface ChoiceFieldProps extends FieldProps<string> {
  label: string;
  /** `mark` is an image before the label. */
  options: readonly { value: string; label: string; hint?: string; mark?: ReactNode }[];
  /** Stacks the options vertically. */
  inLines?: boolean;
  /** A choice takes effect at once: each option is a tab stop of its own, so that arrows do not choose the next one on their way. */
  atOnce?: boolean;
  /** Takes the focus from the field that it replaces. */
  takesFocus?: boolean;
  /** The first field of a dialog, which starts there. */
  "data-autofocus"?: boolean;
}

/** A choice among a few visible options. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { name, value, error, onChange, label, options, inLines = false, atOnce = false, takesFocus = false } = props;
  const id = useId();
  const start = options.find((option) => option.value === value) ?? options[0];
  const first = useTakenFocus<HTMLInputElement>(takesFocus);
  return (
    <fieldset
      role="radiogroup"
      className={classes.choices}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : id}
    >
      <legend className={classes.label}>{label}</legend>
      <div
        className={classes.options}
        data-lines={inLines ? "" : undefined}
        data-many={inLines || options.some(({ hint }) => hint !== undefined) ? undefined : ""}
      >
        {options.map((option, index) => (
          <label key={option.value} className={classes.option}>
            <input
              ref={index === 0 ? first : undefined}
              type="radio"
              name={atOnce ? `${name}-${option.value}` : name}
              value={option.value}
              checked={option.value === value}
              data-autofocus={props["data-autofocus"] === true && option === start ? "" : undefined}
              onChange={() => onChange(option.value)}
            />
            {option.mark}
            <span>
              {option.label}
              {option.hint === undefined ? null : <small>{option.hint}</small>}
            </span>
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
