const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10 * 60_000;

/** The wait before try number `tries + 1`: doubling, and spread so that a crowd of devices does not return at one moment. */
export function backoffMs(tries: number, random: () => number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1));
  return full * (0.5 + random() / 2);
}
