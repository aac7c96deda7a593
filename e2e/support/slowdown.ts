const MEASURED_MS = 300;

/**
 * How many times slower than alone the machine lets a process be just now: the time that work takes over the time that it
 * was let work. What the product promises within seconds it promises where there is room for it.
 */
export function slowdown(): number {
  const before = process.cpuUsage();
  const since = performance.now();
  while (performance.now() - since < MEASURED_MS);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (MEASURED_MS * 1000) / (user + system));
}
