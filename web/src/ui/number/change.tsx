import classes from "./change.module.css";

interface ChangeProps {
  /** `+12.4%`, `−1.2 pt`, `0.0%`; null if there is nothing to compare with. */
  text: string | null;
  /** Describes the comparison to screen readers. */
  against: string;
  /** The period is not over, so a lower figure means nothing yet and has no colour. */
  soFar?: boolean;
  /** An increase is neither good nor bad. */
  neutral?: boolean;
}

/** A change from an earlier period. The sign shows the direction; the colour only repeats it. */
export function Change({ text, against, soFar = false, neutral = false }: ChangeProps) {
  if (text === null) return <span className={classes.none}>no earlier data</span>;
  const direction = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "same";
  return (
    <span className={classes.change} data-direction={soFar || neutral ? "same" : direction}>
      {text}
      {soFar ? " so far" : null}
      <span className="visually-hidden"> against {against}</span>
    </span>
  );
}
