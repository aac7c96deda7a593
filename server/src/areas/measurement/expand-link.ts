import { percentEncode, urlOf } from "@millrace/openrtb";
/** A macro as entered, or as an address's path has it after parsing. */
const MACRO = /(?:\{|%7B)([a-z0-9_]+)(?:\}|%7D)/gi;

/** The macro of the hashed advertising id, the only one that tells of a person: it is filled in memory alone. */
export const DEVICE_MACRO = "device_id_sha1";

export const hasMacro = (link: string, name: string): boolean =>
  [...link.matchAll(MACRO)].some(([, found]) => found?.toLowerCase() === name);

/** Fills a link's macros, each encoded for its place in an address. Names that are no macro of ours stay as they are. */
export function expandLink(link: string, values: ReadonlyMap<string, string>): string {
  return link.replaceAll(MACRO, (macro, name: string) => {
    const value = values.get(name.toLowerCase());
    return value === undefined ? macro : percentEncode(value);
  });
}

/**
 * A link to the Play Store tells the installed app its click by the install referrer: the value of `referrer` reaches the app's
 * first start. A referrer that the advertiser has entered is kept, and completed. Any other link is returned as it is.
 */
export function withInstallReferrer(
  link: string,
  { clickId, campaign }: { clickId: string; campaign: string },
): string {
  const url = urlOf(link);
  if (clickId === "" || url?.hostname !== "play.google.com" || url.pathname !== "/store/apps/details") return link;
  const entered = url.searchParams.get("referrer");
  const referrer = new URLSearchParams(entered ?? { utm_source: "millrace", utm_campaign: campaign });
  if (referrer.has("click_id")) return link;
  referrer.set("click_id", clickId);
  url.searchParams.set("referrer", referrer.toString());
  return url.href;
}
