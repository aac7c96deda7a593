import { readFileSync, readdirSync } from "node:fs";

/**
 * The CPU seconds used by a process's threads, without its child processes. Linux only: reads the scheduler's nanosecond counts,
 * because /proc/PID/stat has a resolution of hundredths of a second.
 */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread has just ended.
      return 0;
    }
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}
