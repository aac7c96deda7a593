import classes from "./segments.module.css";

interface SegmentsProps<Id extends string> {
  label: string;
  options: readonly { id: Id; label: string }[];
  chosen: Id;
  /** For narrow panels. */
  small?: boolean;
  onChoose: (id: Id) => void;
}

/** A choice among a few visible options. */
export function Segments<Id extends string>({ label, options, chosen, small = false, onChoose }: SegmentsProps<Id>) {
  return (
    <div className={classes.segments} role="group" aria-label={label} data-small={small ? "" : undefined}>
      {options.map((option) => (
        <button key={option.id} type="button" aria-pressed={option.id === chosen} onClick={() => onChoose(option.id)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
