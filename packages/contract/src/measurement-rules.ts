/** What a campaign's clicks and views may claim, and for how long. */
export const CLICK_WINDOW_DAYS = { least: 1, most: 30, usual: 7 } as const;
export const VIEW_WINDOW_HOURS = { least: 1, most: 24, usual: 24 } as const;

/** How creatives are rotated. */
export const ROTATIONS = ["even", "learn"] as const;
export type Rotation = (typeof ROTATIONS)[number];
/** The share of impressions that stays even while a campaign learns, in percent. */
export const HOLD_OUT = { least: 5, most: 50, usual: 20 } as const;

/** The event that counts as a conversion unless a campaign names another. */
export const INSTALL = "install";
/** Names of events: as attribution providers send them. */
export const EVENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,63}$/;

/**
 * The values that stand in a link as `{name}`, filled in when an ad is clicked or shown. A name that is not listed stays as it is.
 */
export const LINK_MACROS = {
  click_id: "the click, or in an impression's address the impression; send it back with the postback",
  install_signature:
    "replaces the secret in a postback address that is part of the link; good for one install after this click",
  campaign_id: "the campaign",
  campaign_name: "the campaign's name",
  creative_id: "the creative",
  creative_size: "the creative's size, as 320x50",
  app_id: "the app that showed the ad",
  app_bundle: "its bundle or package name",
  zone: "the place in the app",
  format: "the ad's format",
  country: "the device's country, as US",
  platform: "android or ios",
  timestamp: "when it happened, in seconds since 1970",
  timestamp_ms: "the same in milliseconds",
  device_id_sha1: "the SHA-1 of the advertising id, where the user's consent allows it; else empty",
} as const;
export type LinkMacro = keyof typeof LINK_MACROS;

/** Events that count of one ad, whatever their names: more than a user causes, and too few to fill the stores with one click. */
export const EVENTS_OF_AN_AD = 1000;

/** Apple's numbers of the campaigns for one app: two digits, of which one account's campaigns have a share. */
export const APPLE_NUMBERS = { most: 99, ofAccount: 20 } as const;

/** What becomes of a postback; all but the first are refused. */
export const POSTBACK_OUTCOMES = [
  "accepted",
  /** The secret or the signature is wrong or missing. */
  "unauthorized",
  /** A parameter is missing or not as it must be. */
  "malformed",
  /** The click id was not made here, or for another account. */
  "unknown_click",
  /** After the campaign's window. */
  "late",
  /** The same event of the same click was counted before. */
  "replayed",
  /** The ad has had all of its events. */
  "over_limit",
] as const;
export type PostbackOutcome = (typeof POSTBACK_OUTCOMES)[number];

/** In words for the advertiser. */
export const POSTBACK_OUTCOME_TEXTS = {
  accepted: "Accepted",
  unauthorized: "The secret or the signature is wrong",
  malformed: "A parameter is missing or wrong",
  unknown_click: "No click of yours has this id",
  late: "After the campaign's window",
  replayed: "Counted before",
  over_limit: `This click has its ${EVENTS_OF_AN_AD.toLocaleString("en-US")} events already`,
} as const satisfies Record<PostbackOutcome, string>;
