import {
  type Imp,
  missingAssets,
  NATIVE_EVENT,
  NATIVE_METHOD,
  type NativeLink,
  type NativeResponse,
  parseNativeRequest,
  parseNativeResponse,
  webUrl,
} from "@millrace/openrtb";
import type { TrackingUrls } from "../delivery/beacon-urls.ts";

/** Schemes that run or show what their author wrote, or read what is the device's. */
const DANGEROUS = /^(?:about|blob|content|data|file|filesystem|javascript|vbscript|view-source):/i;

const isAppLink = (url: string): boolean => /^[a-z][a-z\d+.-]*:[^\s"'<>`\\]+$/i.test(url) && !DANGEROUS.test(url);

/** Where a click leads on the web: the link, or the fallback of one that opens an app (Native 1.2, section 5.7). */
const webLinkOf = ({ url, fallback = "" }: NativeLink): string | undefined =>
  webUrl(url) ?? (isAppLink(url) ? webUrl(fallback) : undefined);

/**
 * Adds our impression and click trackers to a bidder's Native 1.2 response, and returns its web address. A viewer that opens no
 * apps gets that one as the link. Null if the response is malformed, lacks a required asset or has no web address.
 */
export function trackedNative(
  adm: string,
  imp: Imp,
  beacons: TrackingUrls,
  { opensApps }: { opensApps: boolean },
): { json: string; url: string } | null {
  const answer = parseNativeResponse(adm);
  if (!answer.ok) return null;
  const url = webLinkOf(answer.value.link);
  if (url === undefined) return null;
  const requested = parseNativeRequest(imp.native?.request);
  if (requested.ok && missingAssets(requested.value, answer.value).length > 0) return null;
  const { eventtrackers = [] } = answer.value;
  const link = opensApps ? answer.value.link : { ...answer.value.link, url };
  const tracker = { event: NATIVE_EVENT.impression, method: NATIVE_METHOD.image, url: beacons.impression };
  // Before 1.2 there was only one list of trackers. A player that asks for such a version reads no other, whatever the answer says.
  const versions = [answer.value.ver, imp.native?.ver, requested.ok ? requested.value.ver : undefined];
  const trackers: Partial<NativeResponse> =
    versions.includes("1.0") || versions.includes("1.1")
      ? { imptrackers: [...(answer.value.imptrackers ?? []), beacons.impression] }
      : { eventtrackers: [...eventtrackers, tracker] };
  const completed: NativeResponse = {
    ...answer.value,
    ...trackers,
    link: beacons.click === null ? link : { ...link, clicktrackers: [...(link.clicktrackers ?? []), beacons.click] },
  };
  return { json: JSON.stringify(completed), url };
}
