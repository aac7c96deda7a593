import { z } from "zod";
import { defineCall } from "./define-call.ts";

/** A beacon address signed by the platform. */
const Beacon = z.object({ t: z.string().min(1).max(8192) });

export const impressionBeacon = defineCall({
  method: "GET",
  path: "/beacon/impression",
  summary: "Report an impression. The reply is a 1x1 GIF, sent once the event is stored",
  access: "device",
  query: Beacon,
  reply: z.string(),
});

export const impressionBeaconPost = defineCall({
  method: "POST",
  path: "/beacon/impression",
  summary: "Report an impression by POST",
  access: "device",
  query: Beacon,
  reply: z.string(),
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
} as const satisfies Record<PlayerEvent | "error", string>;

export const playerBeacon = defineCall({
  method: "GET",
  path: "/beacon/player",
  summary: "Report a player event, such as a quartile or a pause; recorded, never billed",
  access: "device",
  query: Beacon.extend({ e: z.enum(PLAYER_EVENTS) }),
  reply: z.string(),
});
