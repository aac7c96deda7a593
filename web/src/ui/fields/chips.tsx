import { CrossIcon } from "../icons.tsx";
import classes from "./chips.module.css";

interface ChipsProps {
  /** Describes the list to screen readers. */
  label: string;
  chips: readonly { id: string; label: string; note?: string }[];
  /** The name of the button that removes a chip: `Allow Gambling`. */
  removes: (label: string) => string;
  onRemove: (id: string) => void;
}

/** Chosen values, each with a button to remove it. */
export function Chips({ label, chips, removes, onRemove }: ChipsProps) {
  return (
    <ul className={classes.chips} aria-label={label}>
      {chips.map((chip) => (
        <li key={chip.id}>
          {chip.label} {chip.note === undefined ? null : <small>{chip.note}</small>}
          <button type="button" aria-label={removes(chip.label)} onClick={() => onRemove(chip.id)}>
            <CrossIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}
