import { z } from "zod";
import { FORMATS, PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Micros, Uuid } from "./fields.ts";

/** The SDK's protocol, version 1. Devices keep speaking it for years: fields are added, never changed. */

export const Device = z.object({
  os: z.string().max(32),
  osv: z.string().max(32).optional(),
  make: z.string().max(64).optional(),
  model: z.string().max(64).optional(),
  ua: z.string().max(1024).optional(),
  /** Advertising id; left out, or with `lmt: 1`, where tracking is limited. */
  ifa: z.string().max(64).optional(),
  lmt: z.int().min(0).max(1).optional(),
  language: z.string().max(16).optional(),
  w: z.int().min(1).max(20_000).optional(),
  h: z.int().min(1).max(20_000).optional(),
  pxratio: z.number().positive().max(10).optional(),
  /** OpenRTB 2.6 list: connection type (2 wifi, 3 to 7 cellular). */
  connectiontype: z.int().min(0).max(7).optional(),
});
export type Device = z.infer<typeof Device>;

/** Consent signals as the OS or the consent platform gave them. */
export const Consent = z.object({
  gdpr: z.int().min(0).max(1).optional(),
  tcf: z.string().max(10_000).optional(),
  us_privacy: z.string().max(8).optional(),
  gpp: z.string().max(10_000).optional(),
  gpp_sid: z.array(z.int()).max(50).optional(),
  coppa: z.int().min(0).max(1).optional(),
});
export type Consent = z.infer<typeof Consent>;

export const sdkInit = defineCall({
  method: "POST",
  path: "/sdk/v1/init",
  summary: "An SDK starts: its formats, zones and refresh times, and a session",
  access: "device",
  body: z.object({
    /** The app's public key, from its settings page. */
    app: Uuid,
    platform: z.enum(PLATFORMS),
    sdk: z.string().regex(/^\d+\.\d+\.\d+$/),
    /** The installation's own random id: counts devices where there is no advertising id. */
    install: Uuid,
    device: Device,
    consent: Consent.default({}),
  }),
  reply: z.object({
    session: z.string(),
    session_silence_seconds: z.int(),
    latest_sdk: z.string(),
    formats: z.array(z.enum(FORMATS)),
    zones: z.array(z.object({ zone: z.string(), name: z.string(), format: z.enum(FORMATS), refresh_seconds: z.int() })),
    /** Send `sdkPing` this often while the app is in the foreground. */
    ping_seconds: z.int(),
  }),
});

/** One ad of the ordered answer; the SDK walks the list until one shows. */
export const Ad = z.object({
  provider: z.string(),
  format: z.enum(FORMATS),
  /** `html` goes into a sandboxed frame, `vast` to a player, `native` is Native 1.2 response JSON. */
  markup: z.object({ type: z.enum(["html", "vast", "native"]), content: z.string() }),
  w: z.int().nullable(),
  h: z.int().nullable(),
  /** The publisher's share for this impression, for the impression-level revenue callback. */
  revenue: Micros,
  /** Absolute addresses. `impression` is fired at begin-to-render, `click` opens and redirects, `loss` when a later ad of the list shows. */
  beacons: z.object({ impression: z.url(), click: z.url(), loss: z.url() }),
});
export type Ad = z.infer<typeof Ad>;

export const sdkAd = defineCall({
  method: "POST",
  path: "/sdk/v1/ad",
  summary: "Ask for an ad in a zone",
  access: "device",
  body: z.object({
    session: z.string().max(512),
    /** The publisher's own name of the place; registered at its first use. */
    zone: z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/),
    format: z.enum(FORMATS),
    w: z.int().min(1).max(20_000).optional(),
    h: z.int().min(1).max(20_000).optional(),
    device: Device,
    consent: Consent.default({}),
  }),
  reply: z.object({
    auction: Uuid,
    ads: z.array(Ad),
    /** OpenRTB no-bid reason and its sentence when `ads` is empty. */
    nbr: z.int().optional(),
    reason: z.string().optional(),
    refresh_seconds: z.int(),
  }),
});

export const sdkPing = defineCall({
  method: "POST",
  path: "/sdk/v1/ping",
  summary: "The app is still in the foreground: adds to the session's length",
  access: "device",
  body: z.object({
    session: z.string().max(512),
    /** Counts up from 1 in a session, so that a repeated ping counts once. */
    seq: z.int().min(1).max(100_000),
    /** Foreground seconds since the last ping or the start. */
    seconds: z.int().min(0).max(1800),
  }),
  reply: z.object({ ok: z.literal(true) }),
});
