import type { Ad, Reply, sdkAd, sdkInit } from "@millrace/contract";
import type { Reward } from "./events.ts";

export type InitReply = Pick<
  Reply<typeof sdkInit>,
  "session" | "session_timeout_seconds" | "latest_sdk_version" | "ping_seconds"
> & { disabled: boolean };
export type AdReply = Required<Pick<Reply<typeof sdkAd>, "auction" | "ads" | "refresh_seconds">> & {
  reason: string | null;
  /** ISO 3166-1 alpha-2, or the contract's unknown country. */
  country: string;
  /** How long an ad may wait until it is shown. */
  expires_seconds: number;
  /** The answer as it came, from which the steps are read. */
  raw: { ads: unknown[]; steps?: unknown };
};

const UNKNOWN_COUNTRY = "XX";
const DAY_SECONDS = 86_400;
const EXPIRES_SECONDS = 25 * 60;
/** More than the server sends. */
export const MAX_STEPS = 20;
const MAX_MARKUP = 2 * 1024 * 1024;
const MAX_SESSION = 512;
const MAX_ADDRESS = 16_384;
/** Ten thousand dollars for one impression: no honest price. */
const MAX_REVENUE_MICROS = 10_000_000_000;

/**
 * Reads the fields that the SDK relies on, because networks can replace a reply (a captive portal answers 200 with a
 * page). Times are clamped, because a timer beyond 24 days fires at once. Null if the reply is not from our server.
 */
export function readInitReply(json: unknown): InitReply | null {
  const reply = record(json);
  if (!reply || !isText(reply["session"], MAX_SESSION)) return null;
  const { session_timeout_seconds: timeout, ping_seconds: ping, zones, latest_sdk_version: latest } = reply;
  if (!isCount(timeout) || !isCount(ping) || !Array.isArray(zones)) return null;
  return {
    session: reply["session"],
    session_timeout_seconds: clamp(timeout, 60, DAY_SECONDS),
    ping_seconds: clamp(ping, 5, DAY_SECONDS),
    latest_sdk_version: isText(latest, 32) ? latest : "",
    disabled: isSwitchOff(reply),
  };
}

/** Like `readInitReply`. Leaves out ads that lack a field needed to show them. */
export function readAdReply(json: unknown): AdReply | null {
  const reply = record(json);
  if (!reply || !isText(reply["auction"], 64) || !Array.isArray(reply["ads"])) return null;
  const { refresh_seconds: refresh, reason, country, expires_seconds: expires } = reply;
  return {
    auction: reply["auction"],
    raw: reply as AdReply["raw"],
    ads: reply["ads"].slice(0, MAX_STEPS).filter(isShowable),
    refresh_seconds: isCount(refresh) ? clamp(refresh, 0, DAY_SECONDS) : 0,
    reason: isText(reason, 1000) ? reason : null,
    country: typeof country === "string" && /^[A-Z]{2}$/.test(country) ? country : UNKNOWN_COUNTRY,
    expires_seconds: isCount(expires) ? clamp(expires, 1, DAY_SECONDS) : EXPIRES_SECONDS,
  };
}

/** What a rewarded ad's user earns, from the app's settings. */
export function readReward({ reward }: Ad): Reward {
  const { name, amount } = record(reward) ?? {};
  return { name: isText(name, 64) ? name : "reward", amount: isCount(amount) ? amount : 1 };
}

/** True if the server has switched the SDK off for this app. */
export const isSwitchOff = (json: unknown): boolean => record(json)?.["disabled"] === true;

export function isShowable(ad: unknown): ad is Ad {
  const { provider, markup, revenue_micros: revenue, beacons, w, h } = record(ad) ?? {};
  const [made, urls] = [record(markup), record(beacons)];
  return (
    isText(provider, 64) &&
    isText(made?.["type"], 32) &&
    isText(made["content"], MAX_MARKUP) &&
    isCount(revenue) &&
    Number.isSafeInteger(revenue) &&
    revenue <= MAX_REVENUE_MICROS &&
    isSide(w) &&
    isSide(h) &&
    isWebAddress(urls?.["impression"]) &&
    isWebAddress(urls["click"]) &&
    isWebAddress(urls["loss"])
  );
}

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
const isText = (value: unknown, max: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= max;
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isSide = (value: unknown) => value === null || value === undefined || (isCount(value) && value <= 20_000);
export const isWebAddress = (value: unknown): value is string =>
  isText(value, MAX_ADDRESS) && /^https?:\/\//i.test(value);
const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
