// Closed sets and limits of the product, shared by server, web and SDK.

export const FORMATS = ["banner", "interstitial", "video", "rewarded", "native", "audio"] as const;
export type Format = (typeof FORMATS)[number];

export const FORMAT_LABELS = {
  banner: "Banner",
  interstitial: "Interstitial",
  video: "Video",
  rewarded: "Rewarded video",
  native: "Native",
  audio: "Audio",
} as const satisfies Record<Format, string>;

export const PLATFORMS = [
  "android",
  "ios",
  "amazon",
  "androidtv",
  "tvos",
  "firetv",
  "tizentv",
  "roku",
  "others",
] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PLATFORM_LABELS = {
  android: "Android",
  ios: "iOS",
  amazon: "Amazon",
  androidtv: "AndroidTV",
  tvos: "tvOS",
  firetv: "FireTV",
  tizentv: "TizenTV",
  roku: "Roku",
  others: "Others",
} as const satisfies Record<Platform, string>;

/** Platforms whose apps may have no bundle id; what replaces it is called Name. */
export const PLATFORMS_WITHOUT_BUNDLE: readonly Platform[] = ["roku", "firetv", "amazon", "tizentv"];

/** Platforms whose apps skip the page of partners' keys. */
export const PLATFORMS_WITHOUT_KEYS: readonly Platform[] = ["android", "ios", "amazon"];

export const SDK_STATUSES = ["on", "update", "check", "off", "download", "bad"] as const;
export type SdkStatus = (typeof SDK_STATUSES)[number];

/** The newest SDK; `packages/sdk` is released under this number. */
export const SDK_VERSION = "1.0.0";
/**
 * From which version on the SDK shows in-house ads that have one image only, and videos. The specification's numbers, 1.0.5 and 1.0.4,
 * are those of another SDK: this one has done both since its first version.
 */
export const INHOUSE_SDK = { oneImage: "1.0.0", video: "1.0.0" } as const;

/** The country code of a request whose country is unknown. */
export const UNKNOWN_COUNTRY = "XX";

/** A filter with this value matches everything. */
export const ALL = "0";

export const SESSION_TIMEOUT_SECONDS = 30 * 60;
export const AUCTION_DEADLINE_MS = 100;
export const LOGIN_DAYS = 30;
export const EARLIEST_DATE = "2015-03-30";
export const APPS_PER_PAGE = 50;
export const TOP_COUNTRIES = 5;
export const LATEST_EARNINGS = 5;
export const SCROLL_TOP_AFTER_PX = 700;
export const SCROLL_THROTTLE_MS = 100;
export const PAGER_MARGIN_PAGES = 2;
export const PAGER_RANGE_PAGES = 2;
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;
export const APP_NAME_LENGTH = 100;
export const NAME_LENGTH = { min: 2, max: 25 } as const;
export const PHONE_LENGTH = { min: 9, maxDigits: 15 } as const;
export const OTP_DIGITS = 6;
/** Limits on all apps of an account together, without deleted apps. */
export const ACCOUNT_LIMITS = {
  apps: 500,
  floors: 10_000,
  blocks: 10_000,
  testDevices: 500,
  lineItemCharacters: 20_000_000,
  partnerKeyBytes: 10_000_000,
} as const;
/** The most zones of one app. */
export const MAX_ZONES = 500;
/** How long a session stays verified after a correct authenticator code. */
export const OTP_VERIFIED_DAYS = 30;
/** How long the profile shows that a field was saved. */
export const PROFILE_MESSAGE_MS = 5000;
export const ADMIN_ROWS_PER_PAGE = 50;
/** Days before a balance runs out at which its owner can get an alert. */
export const BALANCE_ALERT_DAYS = [1, 2, 3, 5, 7, 14] as const;
/** The terms in force; users who agreed to an older version are asked again. */
export const AGREEMENT_VERSION = 1;
/** The identity providers for signing in. */
export const SOCIAL_SERVICES = ["google", "facebook"] as const;
export type SocialService = (typeof SOCIAL_SERVICES)[number];
export const SOCIAL_LABELS = { google: "Google", facebook: "Facebook" } as const satisfies Record<
  SocialService,
  string
>;
/** The roles of sub-users and their descriptions. */
export const SUB_USER_ROLES = ["SUSR", "SDEV", "GST"] as const;
export type SubUserRole = (typeof SUB_USER_ROLES)[number];
export const SUB_USER_LABELS = { SUSR: "Administrator", SDEV: "Developer", GST: "Guest" } as const satisfies Record<
  SubUserRole,
  string
>;
/** The password alphabet of the product: digits, Latin letters and these signs. */
export const PASSWORD_PATTERN = /^[0-9A-Za-z!#$%&()+,\-.=@[\]^_`{}~]*$/;

/** The provider of campaigns' ads in all statistics. */
export const CAMPAIGN_PROVIDER = { id: "campaigns", name: "Campaigns" } as const;
/** The provider of a publisher's ads for their own apps. */
export const INHOUSE_PROVIDER = { id: "inhouse", name: "Cross Promo" } as const;
/** The provider of line items' ads, which their own sellers pay. */
export const LINE_PROVIDER = { id: "line-items", name: "Line items" } as const;
/** Nobody pays this platform for their ads. */
export const UNPAID_PROVIDERS: readonly string[] = ["inhouse", "line-items"];

/** What came of an ad request. */
export const REQUEST_OUTCOMES = ["sold", "no_ad"] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** The header in which a page says as whom it was opened, by the user's uuid. The server refuses its changes in another user's session. */
export const SIGNED_IN_AS = "x-signed-in-as";
