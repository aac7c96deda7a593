import { z } from "zod";

/** Why an impression or a click is not counted, in the words of every screen. The exchange decides the reason. */
export const NOT_COUNTED_TEXTS = {
  forged: "The beacon was not made by this platform",
  expired: "It arrived after the ad had expired",
  replayed: "The same event was sent again",
  test: "It was a test",
  user_agent_missing: "It named no browser or app",
  crawler: "It came from a crawler",
  click_without_impression: "The click had no impression before it",
  click_too_fast: "The click came too soon for a person",
  device_flood: "One device sent too many events within a minute",
  over_budget: "The campaign's budget could no longer pay for it",
  other_ad_shown: "Another ad of the same request was shown",
  over_cap: "It would have exceeded a frequency cap of the campaign",
  address_flood: "One address sent too many events within a minute",
} as const;
export type NotCountedReason = keyof typeof NOT_COUNTED_TEXTS;

/** The words for a recorded reason; the reason itself if this version does not know it. */
export const notCountedText = (reason: string): string =>
  Object.hasOwn(NOT_COUNTED_TEXTS, reason) ? NOT_COUNTED_TEXTS[reason as NotCountedReason] : reason;

/**
 * Impressions and clicks of the range that arrived and were not counted, by reason, the most first. A forged beacon belongs to
 * no app, so these are never among them.
 */
export const NotCounted = z.object({
  /** A key of `NOT_COUNTED_TEXTS`. */
  reason: z.string(),
  text: z.string(),
  impressions: z.int(),
  clicks: z.int(),
});
export type NotCounted = z.infer<typeof NotCounted>;
