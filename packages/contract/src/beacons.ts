import { z } from "zod";
import { defineCall } from "./define-call.ts";

/** A beacon address signed by the platform. */
const Beacon = z.object({ t: z.string().min(1).max(8192) });

/** The highest price that an adapter's SDK can report for an impression: a CPM in micro-dollars. */
export const MOST_PAID_MICROS = 1_000_000_000;
/** For an adapter's impression: the CPM that its SDK reports. Prices are learned from it; it is not revenue. */
const Impression = Beacon.extend({ paid_micros: z.coerce.number().int().min(0).max(MOST_PAID_MICROS).optional() });

export const impressionBeacon = defineCall({
  method: "GET",
  path: "/beacon/impression",
  summary: "Report an impression. The reply is a 1x1 GIF, sent once the event is stored",
  access: "device",
  query: Impression,
  reply: z.string(),
  replyTypes: ["image/gif"],
});

export const impressionBeaconPost = defineCall({
  method: "POST",
  path: "/beacon/impression",
  summary: "Report an impression by POST",
  access: "device",
  query: Impression,
  reply: z.string(),
  replyTypes: ["image/gif"],
});

export const clickBeacon = defineCall({
  method: "GET",
  path: "/beacon/click",
  summary: "Report a click. Redirects to the signed destination if there is one; otherwise replies with a 1x1 GIF",
  access: "device",
  query: Beacon.extend({
    /** The click's destination and its signature. */
    to: z.string().max(4096).optional(),
    s: z.string().max(64).optional(),
  }),
  reply: z.string(),
  replyTypes: ["image/gif"],
});

export const lossBeacon = defineCall({
  method: "GET",
  path: "/beacon/loss",
  summary: "Report that an ad was not shown",
  access: "device",
  query: Beacon.extend({
    /** The player's VAST error code. */
    e: z.string().max(32).optional(),
  }),
  reply: z.string(),
  replyTypes: ["image/gif"],
});

export const rewardBeacon = defineCall({
  method: "GET",
  path: "/beacon/reward",
  summary:
    "Report that the user has earned the reward. 425 until the ad's impression has counted and its length has passed; repeats change nothing",
  access: "device",
  query: Beacon,
  reply: z.string(),
  replyTypes: ["image/gif"],
});

/** VAST's tracking events of a linear ad, in VAST's order. */
export const PLAYER_EVENTS = [
  "start",
  "firstQuartile",
  "midpoint",
  "thirdQuartile",
  "complete",
  "mute",
  "unmute",
  "pause",
  "resume",
  "skip",
] as const;
export type PlayerEvent = (typeof PLAYER_EVENTS)[number];

/**
 * What an SDK reports about a line item's adapter: it has loaded an ad (`filled`), or why none of its ads was shown. An adapter
 * that has filled may still fail to show its ad.
 */
export const STEP_OUTCOMES = ["filled", "no_fill", "failed", "timed_out", "not_registered"] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

export const PLAYER_EVENT_LABELS = {
  start: "Started",
  firstQuartile: "First quartile",
  midpoint: "Midpoint",
  thirdQuartile: "Third quartile",
  complete: "Complete",
  mute: "Muted",
  unmute: "Unmuted",
  pause: "Paused",
  resume: "Resumed",
  skip: "Skipped",
  error: "Error",
  filled: "Adapter filled",
  no_fill: "No fill",
  failed: "Adapter failed",
  timed_out: "Adapter timed out",
  not_registered: "Adapter not registered",
} as const satisfies Record<PlayerEvent | StepOutcome | "error", string>;

export const playerBeacon = defineCall({
  method: "GET",
  path: "/beacon/player",
  summary: "Report a player event, such as a quartile, or what became of an adapter; recorded, never billed",
  access: "device",
  query: Beacon.extend({ e: z.enum([...PLAYER_EVENTS, ...STEP_OUTCOMES]) }),
  reply: z.string(),
  replyTypes: ["image/gif"],
});
