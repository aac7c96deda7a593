import { glanceAtVast } from "@millrace/openrtb";

/** For an ad whose length is not known. */
const SHORTEST_SECONDS = 5;

/**
 * How long a video must have been on the screen before its reward is earned, in whole seconds: its Duration (VAST 4.2, section
 * 3.8.1), from 5 seconds up to `maxSeconds`. A wrapper's is only known to the player, so that the least applies.
 */
export function watchSecondsOf(vast: string, maxSeconds: number): number {
  return Math.min(maxSeconds, Math.max(SHORTEST_SECONDS, glanceAtVast(vast)?.dur ?? 0));
}
