import type { CampaignPlatform, Platform } from "@millrace/contract";
import { type Device, DEVICE_TYPE } from "@millrace/openrtb";

/** The platform of a device in campaigns' words; null for televisions, desktops and unknown ones. */
export function campaignPlatformOf(app: Platform, device: Device | undefined): CampaignPlatform | null {
  // An app tells its system; a page runs on any.
  const system = app === "others" ? systemOf(device) : app;
  if (system === "android") return "android";
  if (system !== "ios") return null;
  const isTablet = device?.devicetype === DEVICE_TYPE.tablet || /^ipad/i.test(device?.model ?? "");
  // A page on an iPad sees the browser of a Mac.
  return isTablet || ["ipados", "macos"].includes(osOf(device)) ? "ipad" : "iphone";
}

const osOf = (device: Device | undefined): string => (device?.os ?? "").toLowerCase().replaceAll(/[\s_]/g, "");

const systemOf = (device: Device | undefined): string => (osOf(device) === "ipados" ? "ios" : osOf(device));
