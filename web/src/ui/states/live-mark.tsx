import { useNow } from "../use-now.ts";
import classes from "./live-mark.module.css";

interface LiveMarkProps {
  /** When the figures were last loaded, in epoch milliseconds; 0 before the first load. */
  updatedAtMs: number;
  /** The last refresh failed, so the figures are outdated. */
  failing: boolean;
}

/** Shows how fresh the figures are: `live, 2 s ago`. */
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
