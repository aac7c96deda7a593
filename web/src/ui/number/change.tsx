import classes from "./change.module.css";

interface ChangeProps {
  /** `+12.4%`, `−1.2 pt`, `0.0%`; null where there is nothing to compare with. */
  text: string | null;
  /** What it is compared with, read out and shown on hover. */
  against: string;
}

/** A change against an earlier time. Its sign says the direction; the colour only repeats it. */
export function Change({ text, against }: ChangeProps) {
  if (text === null) return <span className={classes.none}>no earlier data</span>;
  const direction = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "same";
  return (
    <span className={classes.change} data-direction={direction}>
      {text}
      <span className="visually-hidden"> against {against}</span>
    </span>
  );
}
