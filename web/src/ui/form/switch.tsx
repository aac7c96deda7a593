import classes from "./switch.module.css";

interface SwitchProps {
  /** What is switched. */
  label: string;
  /** Its state in a word next to it: colour alone is not enough. */
  words: string;
  on: boolean;
  pending?: boolean;
  onChange: (on: boolean) => void;
}

/** On or off, at once. */
export function Switch({ label, words, on, pending = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-busy={pending}
      className={classes.switch}
      onClick={() => {
        if (!pending) onChange(!on);
      }}
    >
      <i aria-hidden="true" />
      <span aria-hidden="true">{words}</span>
    </button>
  );
}
