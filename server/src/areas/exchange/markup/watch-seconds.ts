/** For an ad whose length is not known. */
const SHORTEST_SECONDS = 5;

/**
 * How long a video must have been on the screen before its reward is earned, in whole seconds: its Duration (VAST 4.2, section
 * 3.8.1), from 5 seconds up to `maxSeconds`. A wrapper's is only known to the player, so that the least applies.
 */
export function watchSecondsOf(vast: string, maxSeconds: number): number {
  const [, hours, minutes, seconds] = /<Duration>\s*(\d\d):([0-5]\d):([0-5]\d)/.exec(vast) ?? [];
  const told = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return Math.min(maxSeconds, Math.max(SHORTEST_SECONDS, told));
}
