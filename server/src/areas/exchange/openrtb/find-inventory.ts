import { PLATFORMS, type Platform } from "@millrace/contract";
import { type BidRequest, DEVICE_TYPE, type Device, urlOf } from "@millrace/openrtb";
import type { AppConfig, Snapshot } from "../config/snapshot.ts";
import { storedRequestOf } from "./prebid.ts";

/**
 * The app of a request, by its key or its bundle; null if unknown. Prebid's SDK for apps sends the key as the id of a stored request.
 * A site or screen (dooh) has a domain, which is the app's bundle.
 */
export function findInventory(snapshot: Snapshot, request: BidRequest): AppConfig | null {
  const { app, site, dooh, device } = request;
  for (const key of [(app ?? site ?? dooh)?.id, storedRequestOf(request.ext)]) {
    const named = key === undefined ? undefined : snapshot.byUuid.get(key.toLowerCase());
    if (named) return named;
  }
  const place = site ?? dooh;
  const names = app ? [app.bundle, app.domain] : [place?.domain, hostOf(site?.page), place?.publisher?.domain];
  for (const name of names) {
    // An app without a bundle is found only by its key.
    const found = name === undefined || name === "" ? undefined : snapshot.byBundle.get(bundleOf(name));
    if (found) return matchPlatform(found, device);
  }
  return null;
}

const bundleOf = (name: string) => name.toLowerCase().replace(/^www\./, "");

function hostOf(page: string | undefined): string | undefined {
  return page === undefined ? undefined : urlOf(page)?.hostname;
}

/**
 * If apps on several platforms share a bundle, the device decides. Serving apps take precedence, because anyone can enter
 * another publisher's bundle in an app that awaits moderation.
 */
function matchPlatform(apps: readonly AppConfig[], device: Device | undefined): AppConfig | null {
  const platform = platformOf(device);
  const serving = apps.filter(({ facts }) => facts.live);
  const known = serving.length > 0 ? serving : apps;
  return known.find((app) => app.platform === platform) ?? known[0] ?? null;
}

const TELEVISION: readonly (number | undefined)[] = [
  DEVICE_TYPE.connectedTv,
  DEVICE_TYPE.connectedDevice,
  DEVICE_TYPE.setTopBox,
];

/** The platform of a device by its own description. */
function platformOf(device: Device | undefined): Platform {
  const os = (device?.os ?? "").toLowerCase().replaceAll(/[\s_]/g, "");
  const isTelevision = TELEVISION.includes(device?.devicetype);
  if (device?.make?.toLowerCase() === "amazon") return isTelevision ? "firetv" : "amazon";
  if (os === "android") return isTelevision ? "androidtv" : "android";
  if (os === "ios" || os === "ipados") return isTelevision ? "tvos" : "ios";
  if (os === "tizen") return "tizentv";
  return PLATFORMS.find((platform) => platform === os) ?? "others";
}
