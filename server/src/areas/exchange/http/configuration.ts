import { Problem } from "../../../platform/http/problem.ts";
import type { Snapshot } from "../config/snapshot.ts";

/** Where the configuration in force is read from; null before its first load. */
export interface ConfigSource {
  current(): Snapshot | null;
}

/** The configuration in force; Problem `unavailable` before the first load. */
export function configuration(config: ConfigSource): Snapshot {
  const snapshot = config.current();
  if (!snapshot) throw new Problem("unavailable", "The configuration is not loaded yet", { retryAfterSeconds: 2 });
  return snapshot;
}
