import { formatAge } from "@millrace/units";
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
  const ageSeconds = Math.round((nowMs - updatedAtMs) / 1000);
  return (
    <span className={classes.live} data-failing={failing ? "" : undefined}>
      <span className={classes.dot} aria-hidden="true" />
      {updatedAtMs === 0
        ? failing
          ? "not connected"
          : "connecting"
        : `${failing ? "not updating, last" : "live,"} ${formatAge(ageSeconds)} ago`}
    </span>
  );
}
