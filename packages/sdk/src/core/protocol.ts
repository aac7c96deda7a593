import type { Ad, Reply, sdkAd, sdkInit } from "@millrace/contract";

export type InitReply = Reply<typeof sdkInit>;
export type AdReply = Reply<typeof sdkAd>;

/**
 * Checks the fields that the SDK relies on, because networks can replace a reply (a captive portal answers 200 with a
 * page). Null if the reply is not from our server.
 */
export function readInitReply(json: unknown): InitReply | null {
  const reply = json as InitReply | null | undefined;
  if (typeof reply !== "object" || reply === null || typeof reply.session !== "string") return null;
  return isCount(reply.session_timeout_seconds) && isCount(reply.ping_seconds) && Array.isArray(reply.zones)
    ? reply
    : null;
}

/** Like `readInitReply`. Leaves out ads that lack a field needed to show them. */
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
