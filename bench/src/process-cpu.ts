import { readFileSync, readdirSync } from "node:fs";

/**
 * CPU seconds that a process's threads have used so far, to the nanosecond (Linux: the scheduler's own count, where
 * /proc/PID/stat counts hundredths). Children are not in it.
 */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread ended just now; the bench's processes keep theirs.
      return 0;
    }
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}
