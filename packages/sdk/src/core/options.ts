import type { Consent, Device, Format, Platform } from "@millrace/contract";
import type { LogLevel, SdkEvent } from "./events.ts";
import { LOG_LEVELS } from "./events.ts";

export interface CoreOptions {
  /** The app's public key, from its Integrate page. */
  app: string;
  platform: Platform;
  /** The platform's address, such as `https://ads.example.com`. */
  endpoint: string;
  device: Device;
  /** Consent signals, passed on unchanged. A function is called before each request; while its promise waits, nothing is sent. */
  consent?: Consent | (() => Consent | Promise<Consent>);
  /** The installation's id (UUID). By default the SDK creates and stores one. */
  installId?: string;
  /** The UTC day of that installation's first start, such as `2026-11-19`. The SDK stores it if it creates the id. */
  firstDay?: string;
  /** Test ads: neither counted nor paid, and bidders know. */
  test?: boolean;
  /** What the log shows; `warn` by default. */
  logLevel?: LogLevel;
  /** The most megabytes of ads that a session may download; no limit by default. */
  downloadBudgetMb?: number;
  /** Receives every event. A listener that is set here misses none. */
  onEvent?: (event: SdkEvent) => void;
}

export interface AdRequest {
  /** Your name for the place: 1 to 64 letters, digits or `_.:-`. */
  zone: string;
  format: Format;
  /** The size in device-independent pixels. */
  w?: number;
  h?: number;
  /** For a rewarded ad: your user's id, at most 256 characters; sent to your own server with the reward. */
  userId?: string;
  /** What else your server needs to grant the reward, at most 1,024 characters. */
  customData?: string;
  /** Tokens that partners' own SDKs have given for this ad, by the partner's id. Each is told its own alone. */
  bidderTokens?: Readonly<Record<string, string>>;
  /** The limit until `loaded` or `loadFailed`, in milliseconds; 10,000 by default, 1,000 to 60,000. */
  timeoutMs?: number;
}

/** Removes undefined values, so that an app that passes on a missing value keeps the default. */
export const defined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries({ ...given }).filter(([, value]) => value !== undefined)) as T;

export const LOAD_LIMIT_MS = 10_000;

export const FORMATS: readonly Format[] = ["banner", "interstitial", "video", "rewarded", "native", "audio"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ZONE = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,64}$/;

/** What is wrong with the options, as a sentence; null if they are right. They come from pages without types. */
export function wrongOptions(options: CoreOptions): string | null {
  if (typeof options !== "object" || options === null) return "there are no options";
  const { app, endpoint, logLevel, downloadBudgetMb: megabytes } = options;
  if (!UUID.test(app)) return "app must be the key from its Integrate page";
  if (typeof endpoint !== "string" || !/^https?:\/\/[^/]/.test(endpoint)) {
    return "endpoint must be an address like https://ads.example.com";
  }
  if (logLevel !== undefined && !LOG_LEVELS.includes(logLevel))
    return `logLevel must be one of ${LOG_LEVELS.join(", ")}`;
  if (megabytes !== undefined && !(megabytes >= 0)) return "downloadBudgetMb must be a number";
  return null;
}

export function wrongRequest(request: AdRequest): string | null {
  if (typeof request !== "object" || request === null) return "there is no request";
  const { zone, format, w, h, timeoutMs = LOAD_LIMIT_MS } = request;
  if (!isZone(zone)) return `zone must be 1 to 64 letters, digits or _.:-, not ${String(zone)}`;
  if (!FORMATS.includes(format)) return `format must be one of ${FORMATS.join(", ")}`;
  if (!isSide(w) || !isSide(h)) return "w and h must be from 1 to 20000";
  if (!(timeoutMs >= 1000 && timeoutMs <= 60_000)) return "timeoutMs must be from 1000 to 60000";
  return null;
}

/**
 * Equal for requests that the same ad can serve: its reward belongs to the named user, and a banner has a fixed size. Other
 * formats fit the window, and its size may change at any time.
 */
export const requestKey = ({ format, userId, customData, w, h }: AdRequest): string =>
  JSON.stringify([format, userId, customData, format === "banner" && [w, h]]);

export const isZone = (zone: unknown): zone is string => typeof zone === "string" && ZONE.test(zone);

const isSide = (side: number | undefined) =>
  side === undefined || (Number.isInteger(side) && side >= 1 && side <= 20_000);
