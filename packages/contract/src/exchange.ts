import { z } from "zod";
import { MOST_PAID_MICROS, STEP_OUTCOMES } from "./beacons.ts";
import { FORMATS, PLATFORMS } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { Micros, Uuid } from "./fields.ts";

/** The name of a line item's adapter, as the app's SDK knows it. */
export const AdapterName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "Use letters, digits and _.-");

/** What the dashboard makes for the SDK's debugger; see `debugToken`. */
export const DebugToken = z.string().max(512);

// Version 1 of the SDK's protocol. Devices use it for years, so fields are added but never changed.

export const Device = z.object({
  os: z.string().max(32),
  osv: z.string().max(32).optional(),
  make: z.string().max(64).optional(),
  model: z.string().max(64).optional(),
  ua: z.string().max(1024).optional(),
  /** The advertising id, if there is one. With `lmt: 1` (limited ad tracking) it is not shared. */
  ifa: z.string().max(64).optional(),
  lmt: z.int().min(0).max(1).optional(),
  /**
   * iOS: `ATTrackingManager.AuthorizationStatus`: 0 not asked, 1 restricted, 2 denied, 3 authorized. Below 3 the advertising
   * id is shared with nobody; partners see the status as `device.ext.atts` (OpenRTB 2.6).
   */
  att_status: z.int().min(0).max(3).optional(),
  language: z.string().max(16).optional(),
  w: z.int().min(1).max(20_000).optional(),
  h: z.int().min(1).max(20_000).optional(),
  pxratio: z.number().positive().max(10).optional(),
  /** OpenRTB 2.6 list: connection type (2 wifi, 3 to 7 cellular). */
  connectiontype: z.int().min(0).max(7).optional(),
});
export type Device = z.infer<typeof Device>;

/** Consent signals as given by the OS or the consent platform. */
export const Consent = z.object({
  gdpr: z.int().min(0).max(1).optional(),
  tcf: z.string().max(10_000).optional(),
  us_privacy: z.string().max(8).optional(),
  gpp: z.string().max(10_000).optional(),
  gpp_sid: z.array(z.int()).max(50).optional(),
  coppa: z.int().min(0).max(1).optional(),
});
export type Consent = z.infer<typeof Consent>;

/** True where ads are switched off for the app: the SDK drops the ads it has and requests none until its next session. */
const Disabled = z.literal(true).optional();

export const sdkInit = defineCall({
  method: "POST",
  path: "/sdk/v1/init",
  summary: "Start an SDK session, and get the app's formats, zones and refresh times",
  access: "device",
  body: z.object({
    /** The app's public key, from its Integrate page. */
    app: Uuid,
    platform: z.enum(PLATFORMS),
    sdk_version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
    /** The installation's random id, which counts devices without an advertising id. */
    install_id: Uuid,
    /** The UTC day of this installation's first start, such as `2026-11-19`; impossible days are ignored. */
    first_day: z.string().max(32).optional(),
    device: Device,
    consent: Consent.default({}),
  }),
  reply: z.object({
    session: z.string(),
    session_timeout_seconds: z.int(),
    latest_sdk_version: z.string(),
    formats: z.array(z.enum(FORMATS)),
    zones: z.array(z.object({ zone: z.string(), name: z.string(), format: z.enum(FORMATS), refresh_seconds: z.int() })),
    /** Send `sdkPing` this often while the app is in the foreground. */
    ping_seconds: z.int(),
    disabled: Disabled,
  }),
});

/** Beacon addresses: `impression` when the ad starts to render, `click` on a click, `loss` when a later ad shows. */
const Beacons = z.object({ impression: z.url(), click: z.url(), loss: z.url() });

const Reward = z.object({ name: z.string(), amount: z.int() });

/** One ad of the reply. The SDK tries them in order until one shows. */
export const Ad = z.object({
  provider: z.string(),
  format: z.enum(FORMATS),
  /**
   * `html` goes into a sandboxed frame, `mraid` as well with MRAID 3, `vast` to a player; `native` is Native 1.2 response
   * JSON. An SDK passes over what it does not know.
   */
  markup: z.object({ type: z.enum(["html", "mraid", "vast", "native"]), content: z.string() }),
  w: z.int().nullable(),
  h: z.int().nullable(),
  /** The publisher's share for this impression, for the impression-level revenue callback. */
  revenue_micros: Micros,
  /** `estimated` for a price that was set and not bid; otherwise the auction's exact price. */
  precision: z.enum(["exact", "estimated"]).optional(),
  /** What a rewarded ad's user earns. */
  reward: Reward.optional(),
  /** For a line item: the CPM that its owner expects from its seller, which is not revenue of the platform. */
  expected_micros: Micros.optional(),
  /** `reward` is called when the reward is earned; missing unless the app's server is told of rewards. */
  beacons: Beacons.extend({ reward: z.url().optional() }),
});
export type Ad = z.infer<typeof Ad>;

/** One step of an answer with adapters: an ad of `ads` by its index, or an adapter to call. */
const Step = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ad"), ad: z.int() }),
  z.object({
    type: z.literal("adapter"),
    provider: z.string(),
    /** The line item. */
    item: Uuid,
    adapter: AdapterName,
    /** What the adapter is called with. */
    params: z.record(z.string(), z.string()),
    /** The CPM that the line item's owner expects of its seller. */
    expected_micros: Micros,
    /** As for an ad, unless the adapter's SDK reports what its seller pays. Missing in answers of earlier versions. */
    revenue_micros: Micros.optional(),
    precision: z.enum(["exact", "estimated"]).optional(),
    reward: Reward.optional(),
    /** As for an ad; `player` reports what became of the adapter: see `playerBeacon` and the event `step`. */
    beacons: Beacons.extend({ player: z.url(), reward: z.url().optional() }),
  }),
]);

export const sdkAd = defineCall({
  method: "POST",
  path: "/sdk/v1/ad",
  summary: "Request ads for a zone",
  access: "device",
  body: z.object({
    session: z.string().max(512),
    /** The publisher's name for the zone, registered at its first counted impression. */
    zone: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,64}$/),
    format: z.enum(FORMATS),
    w: z.int().min(1).max(20_000).optional(),
    h: z.int().min(1).max(20_000).optional(),
    /** 1 for a test ad: neither counted nor paid, and bidders know. */
    test: z.int().min(0).max(1).optional(),
    /** For a rewarded ad: passed on to the app's own server with the reward, and to nobody else. */
    user_id: z.string().max(256).optional(),
    custom_data: z.string().max(1024).optional(),
    /** Tokens of partners' own SDKs, by the partner's id. Each partner gets only its own, as the buyer's id of the user. */
    bidder_tokens: z
      .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/), z.string().max(8192))
      .refine((tokens) => Object.keys(tokens).length <= 20, "Use at most 20")
      .optional(),
    /** The adapters that the app's SDK has. Without them, line items of adapters are not tried. */
    adapters: z.array(AdapterName).max(50).optional(),
    /** From the SDK's debugger: a test ad whatever `test` says, of which the trace is kept. */
    debug: z
      .object({
        /** From `debugToken`, for the app of the session. */
        token: DebugToken,
        /** The only provider that may bid: a partner, `campaigns`, `inhouse` or `line-items`. */
        provider: z
          .string()
          .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
          .optional(),
      })
      .optional(),
    device: Device,
    consent: Consent.default({}),
  }),
  reply: z.object({
    auction: Uuid,
    ads: z.array(Ad),
    /** What to try, best first, if an adapter is among it; otherwise absent, and `ads` is the order. */
    steps: z.array(Step).optional(),
    /** The OpenRTB no-bid reason, and `reason` as a sentence, if `ads` is empty. */
    nbr: z.int().optional(),
    reason: z.string().optional(),
    refresh_seconds: z.int(),
    /** The device's country, ISO 3166-1 alpha-2; `XX` if it is unknown. */
    country: z.string().length(2),
    /** An ad that has waited this long is not shown, because its impression would come too late to be billed. */
    expires_seconds: z.int(),
    disabled: Disabled,
  }),
});

export const sdkPing = defineCall({
  method: "POST",
  path: "/sdk/v1/ping",
  summary: "Report that the app is in the foreground, which adds to the session's length",
  access: "device",
  body: z.object({
    session: z.string().max(512),
    /** Numbered from 1 in a session, so that a repeated ping counts once. */
    seq: z.int().min(1).max(100_000),
    /** Foreground seconds since the last ping or the start. */
    seconds: z.int().min(0).max(1800),
  }),
  reply: z.object({ ok: z.literal(true), disabled: Disabled }),
});

/**
 * An impression, click or loss has the `t` of its beacon's address as its token; a ping has the fields of `sdkPing`; a step
 * has that of `player` and tells what became of an adapter.
 */
export const SdkEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["impression", "click", "loss"]),
    token: z.string().min(1).max(8192),
    /** For an adapter's impression: the CPM that its SDK reports. Prices are learned from it; it is not revenue. */
    paid_micros: Micros.min(0).max(MOST_PAID_MICROS).optional(),
  }),
  z.object({ type: z.literal("ping"), ...sdkPing.body.shape }),
  z.object({ type: z.literal("step"), token: z.string().min(1).max(8192), outcome: z.enum(STEP_OUTCOMES) }),
]);
export type SdkEvent = z.infer<typeof SdkEvent>;

export const EVENT_RESULTS = ["accepted", "duplicate", "refused"] as const;
/** Why an event is refused; a retry does not help. */
export const EVENT_REFUSALS = ["malformed", "forged", "expired", "session_unknown"] as const;
export const EVENTS_PER_BATCH = 1000;

export const sdkEvents = defineCall({
  method: "POST",
  path: "/sdk/v1/events",
  summary:
    "Send a batch of events. The reply comes once all are stored; after a 503 none are, and the batch can be retried",
  access: "device",
  body: z.object({
    /** At most 1,000 events in at most 1 MiB. A malformed event is refused without affecting the others. */
    events: z.array(SdkEvent).min(1).max(EVENTS_PER_BATCH),
  }),
  reply: z.object({
    /** One for each event, in the same order. */
    results: z.array(z.object({ result: z.enum(EVENT_RESULTS), code: z.enum(EVENT_REFUSALS).optional() })),
  }),
});
