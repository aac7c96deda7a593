import type { Format, Platform } from "@millrace/contract";
import { DEVICE_TYPE } from "@millrace/openrtb";
import type { BidRequest, Device, Imp, MediaType } from "@millrace/openrtb";

/** A format and media type that fills an imp. */
export interface Offer {
  format: Format;
  mediaType: MediaType;
}

/** The offers of an imp: one for each media type that it allows. */
export function offersOf(imp: Imp): Offer[] {
  const offers: Offer[] = [];
  const fullScreen = imp.instl === 1;
  if (imp.video !== undefined) {
    offers.push({ mediaType: "video", format: imp.rwdd === 1 ? "rewarded" : fullScreen ? "interstitial" : "video" });
  }
  if (imp.banner !== undefined) offers.push({ mediaType: "banner", format: fullScreen ? "interstitial" : "banner" });
  if (imp.native !== undefined) offers.push({ mediaType: "native", format: "native" });
  if (imp.audio !== undefined) offers.push({ mediaType: "audio", format: "audio" });
  return offers;
}

const TELEVISION: readonly (number | undefined)[] = [
  DEVICE_TYPE.connectedTv,
  DEVICE_TYPE.connectedDevice,
  DEVICE_TYPE.setTopBox,
];

/** The platform of a device, derived from its operating system, make and device type. */
export function platformOf(device: Device | undefined): Platform {
  const os = (device?.os ?? "").toLowerCase();
  const television = TELEVISION.includes(device?.devicetype);
  if (os.includes("roku")) return "roku";
  if (os.includes("tizen")) return "tizentv";
  if (os.includes("tvos")) return "tvos";
  if (os.includes("ios") || os.includes("ipados")) return television ? "tvos" : "ios";
  const amazon = os.includes("fire") || (device?.make ?? "").toLowerCase() === "amazon";
  if (amazon) return television || os.includes("tv") ? "firetv" : "amazon";
  if (os.includes("android")) return television || os.includes("tv") ? "androidtv" : "android";
  return "others";
}

/** Parses a bid request and checks the fields that the lab needs. Null if it is not one. */
export function readRequest(body: string): BidRequest | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return null;
    const { id, imp } = parsed as Partial<BidRequest>;
    if (typeof id !== "string" || !Array.isArray(imp) || imp.length === 0) return null;
    return imp.every((each) => typeof each?.id === "string") ? (parsed as BidRequest) : null;
  } catch {
    return null;
  }
}
