import { useNow } from "../use-now.ts";
import classes from "./live-mark.module.css";

interface LiveMarkProps {
  /** When the figures were last read, epoch milliseconds; 0 before the first time. */
  updatedAtMs: number;
  /** The last reading failed: the figures are what they were. */
  failing: boolean;
}

/** Says how fresh the figures are: `live, 2 s ago`. */
export function LiveMark({ updatedAtMs, failing }: LiveMarkProps) {
  const nowMs = useNow();
  const ageSeconds = Math.max(0, Math.round((nowMs - updatedAtMs) / 1000));
  return (
    <span className={classes.live} data-failing={failing ? "" : undefined}>
      <span className={classes.dot} aria-hidden="true" />
      {updatedAtMs === 0
        ? failing
          ? "not connected"
          : "connecting"
        : `${failing ? "not updating, last" : "live,"} ${ageWords(ageSeconds)} ago`}
    </span>
  );
}

const ageWords = (seconds: number) => (seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
