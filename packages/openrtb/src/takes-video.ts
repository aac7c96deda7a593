import type { Video } from "./media.ts";
import { takesDuration } from "./stream-rules.ts";
import { vastVersionFor } from "./vast/inline-vast.ts";

/** AdCOM's list "Delivery Methods". */
const PROGRESSIVE = 2;
/** AdCOM's list "Linearity Modes". */
const LINEAR = 1;

/**
 * Whether a place takes a video (OpenRTB 2.6, section 3.2.7). Its length counts in whole seconds, since encoders rarely make
 * exact ones. Its width and height are no condition: players scale videos.
 */
export function takesVideo(
  place: Video,
  { type, durationMs, bitrateKbps }: { type: string; durationMs: number; bitrateKbps: number },
): boolean {
  const seconds = Math.round(durationMs / 1000);
  return (
    place.mimes.includes(type) &&
    vastVersionFor(place) !== null &&
    (place.linearity === undefined || place.linearity === LINEAR) &&
    takesDuration(place, seconds) &&
    bitrateKbps >= (place.minbitrate ?? 0) &&
    // 0 is no limit in practice.
    bitrateKbps <= (place.maxbitrate || Infinity) &&
    (isEmpty(place.delivery) || place.delivery?.includes(PROGRESSIVE) === true)
  );
}

const isEmpty = (list: readonly number[] | undefined): boolean => list === undefined || list.length === 0;

/**
 * When a place lets a video of some length be skipped, in seconds, if it may be skipped after `skipAfter`; null for never.
 * Both sides have a say: the later moment counts, and a place can forbid it.
 */
export function skipOffset(
  { skip, skipmin = 0, skipafter = 0 }: Pick<Video, "skip" | "skipmin" | "skipafter">,
  { durationMs, skipAfter }: { durationMs: number; skipAfter: number },
): number | null {
  if (skipAfter === 0 || skip === 0 || durationMs <= skipmin * 1000) return null;
  const seconds = Math.max(skipAfter, skip === 1 ? skipafter : 0);
  return seconds * 1000 < durationMs ? seconds : null;
}
