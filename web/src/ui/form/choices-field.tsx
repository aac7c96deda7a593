import { useId } from "react";
import classes from "./form.module.css";

interface ChoicesFieldProps<Value extends string | number> {
  name: string;
  label: string;
  description?: string;
  options: readonly { value: Value; label: string; full?: string }[];
  chosen: readonly Value[];
  error: string | undefined;
  /** For options of a few letters. `full` then says them in full. */
  short?: boolean;
  onChange: (chosen: Value[]) => void;
}

/** A choice of any number among a few visible options, kept in the order of the options. */
export function ChoicesField<Value extends string | number>(props: ChoicesFieldProps<Value>) {
  const { name, label, description, options, chosen, error, short = false, onChange } = props;
  const id = useId();
  const described = [...(description === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [id])];
  const toggle = (value: Value, on: boolean) =>
    onChange(options.map((option) => option.value).filter((it) => (it === value ? on : chosen.includes(it))));
  return (
    <fieldset
      name={name}
      className={classes.choices}
      data-invalid={error === undefined ? undefined : ""}
      aria-describedby={described.length === 0 ? undefined : described.join(" ")}
    >
      <legend className={classes.label}>{label}</legend>
      {description === undefined ? null : (
        <p id={`${id}-hint`} className={classes.hint}>
          {description}
        </p>
      )}
      <div className={classes.options} data-many="" data-short={short ? "" : undefined}>
        {options.map(({ value, label: text, full }) => (
          <label key={value} className={classes.option}>
            <input
              type="checkbox"
              aria-label={full}
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />
            <span>{text}</span>
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
