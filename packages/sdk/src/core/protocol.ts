import type { Ad, Reply, sdkAd, sdkInit } from "@millrace/contract";

/** What an app says of itself and its device at init. */
export type InitReply = Reply<typeof sdkInit>;
export type AdReply = Reply<typeof sdkAd>;

/**
 * The replies come over networks that change them (captive portals answer 200 with a page), so what the SDK relies on
 * is looked at. `null`: this is not our server's answer.
 */
export function readInitReply(json: unknown): InitReply | null {
  const reply = json as InitReply | null | undefined;
  if (typeof reply !== "object" || reply === null || typeof reply.session !== "string") return null;
  return isCount(reply.session_timeout_seconds) && isCount(reply.ping_seconds) && Array.isArray(reply.zones)
    ? reply
    : null;
}

/** As `readInitReply`; ads that lack what showing needs are left out. */
export function readAdReply(json: unknown): AdReply | null {
  const reply = json as AdReply | null | undefined;
  if (typeof reply !== "object" || reply === null) return null;
  if (typeof reply.auction !== "string" || !Array.isArray(reply.ads)) return null;
  const refresh_seconds = isCount(reply.refresh_seconds) ? reply.refresh_seconds : 0;
  return { ...reply, refresh_seconds, ads: reply.ads.filter(isShowable) };
}

function isShowable(ad: Ad | null | undefined): ad is Ad {
  return (
    typeof ad?.markup?.content === "string" &&
    typeof ad.beacons?.impression === "string" &&
    typeof ad.beacons.click === "string" &&
    typeof ad.beacons.loss === "string"
  );
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
