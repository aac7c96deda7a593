import classes from "./change.module.css";

interface ChangeProps {
  /** `+12.4%`, `−1.2 pt`, `0.0%`; null where there is nothing to compare with. */
  text: string | null;
  /** What it is compared with, read out. */
  against: string;
  /** The days compared are not over: a lower figure is no news yet, so it takes no state's colour. */
  soFar?: boolean;
  /** More is neither better nor worse. */
  neutral?: boolean;
}

/** A change against an earlier time. Its sign says the direction; the colour only repeats it. */
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
