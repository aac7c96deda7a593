const MEASURED_MS = 300;

/** Options for waits on the platform: generous, because a busy machine is slow, not broken. */
export const AWAITED = { timeout: 60_000, interval: 100 };

/**
 * How many times slower this process runs now than alone on the machine: elapsed time divided by its CPU time during a busy
 * loop. Time limits of the product are multiplied by it, because they only hold where there is CPU to spare.
 */
export function slowdown(): number {
  const before = process.cpuUsage();
  const since = performance.now();
  while (performance.now() - since < MEASURED_MS);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (MEASURED_MS * 1000) / (user + system));
}
