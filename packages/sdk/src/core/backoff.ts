const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10 * 60_000;

/** The delay after a number of failed tries: it doubles each time, with jitter so that devices do not return all at once. */
export function backoffMs(tries: number, random: () => number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1));
  return full * (0.5 + random() / 2);
}
