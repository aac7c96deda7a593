import classes from "./change.module.css";

interface ChangeProps {
  /** `+12.4%`, `−1.2 pt`, `0.0%`; null if there is nothing to compare with. */
  text: string | null;
  /** Describes the comparison to screen readers. */
  against: string;
  /** Which direction is good, and green: more by default. Without a good one, no change has a colour. */
  good?: "up" | "down" | "neither";
  /** Stands for a change from nothing. */
  none?: string;
}

/** A change from an earlier period. The sign shows the direction; the colour says whether it is good. */
export function Change({ text, against, good = "up", none = "no earlier data" }: ChangeProps) {
  if (text === null) return <span className={classes.none}>{none}</span>;
  const direction = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "neither";
  const judged = good === "neither" || direction === "neither" ? "none" : direction === good ? "good" : "bad";
  return (
    <span className={classes.change} data-judged={judged}>
      {text}
      <span className="visually-hidden"> against {against}</span>
    </span>
  );
}
