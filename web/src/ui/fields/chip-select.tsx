import classes from "./fields.module.css";

interface ChipSelectProps<Id extends string> {
  /** For screen readers. */
  label: string;
  /** A word before the choice: `against`. */
  before: string;
  options: readonly { id: Id; label: string }[];
  chosen: Id;
  /** A note behind the choice. */
  after?: string | undefined;
  title?: string | undefined;
  onChoose: (id: Id) => void;
}

/** A choice among a few options in a chip, by the browser's own select. */
export function ChipSelect<Id extends string>(props: ChipSelectProps<Id>) {
  const { label, before, options, chosen, after, title, onChoose } = props;
  return (
    <span className={classes.chipSelect} title={title}>
      <span aria-hidden="true">{before}</span>
      <select
        aria-label={label}
        value={chosen}
        onChange={(event) => {
          const next = options.find(({ id }) => id === event.currentTarget.value);
          if (next) onChoose(next.id);
        }}
      >
        {options.map(({ id, label: text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
      {after === undefined ? null : <small>{after}</small>}
    </span>
  );
}
