import {
  type Imp,
  missingAssets,
  NATIVE_EVENT,
  NATIVE_METHOD,
  type NativeResponse,
  parseNativeRequest,
  parseNativeResponse,
  webUrl,
} from "@millrace/openrtb";
import type { TrackingUrls } from "../delivery/beacon-urls.ts";

/**
 * Adds our impression and click trackers to a bidder's Native 1.2 response. Null if it is malformed, lacks a required asset
 * or does not link to a web address.
 */
export function trackedNative(adm: string, imp: Imp, beacons: TrackingUrls): { json: string; url: string } | null {
  const answer = parseNativeResponse(adm);
  if (!answer.ok || webUrl(answer.value.link.url) === undefined) return null;
  const asked = parseNativeRequest(imp.native?.request);
  if (asked.ok && missingAssets(asked.value, answer.value).length > 0) return null;
  const { link, eventtrackers = [] } = answer.value;
  const tracker = { event: NATIVE_EVENT.impression, method: NATIVE_METHOD.image, url: beacons.impression };
  // Before 1.2 there was only one list of trackers.
  const trackers: Partial<NativeResponse> =
    answer.value.ver === "1.0" || answer.value.ver === "1.1"
      ? { imptrackers: [...(answer.value.imptrackers ?? []), beacons.impression] }
      : { eventtrackers: [...eventtrackers, tracker] };
  const made: NativeResponse = {
    ...answer.value,
    ...trackers,
    ...(beacons.click !== null && { link: { ...link, clicktrackers: [...(link.clicktrackers ?? []), beacons.click] } }),
  };
  return { json: JSON.stringify(made), url: link.url };
}
