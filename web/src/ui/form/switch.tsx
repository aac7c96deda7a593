import classes from "./switch.module.css";

interface SwitchProps {
  /** Names the setting. */
  label: string;
  /** The state as text, because colour alone is not enough. */
  words: string;
  on: boolean;
  pending?: boolean;
  onChange: (on: boolean) => void;
}

/** A switch that takes effect immediately. */
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
