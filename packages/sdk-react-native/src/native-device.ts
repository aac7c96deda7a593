import type { Device, Platform } from "@millrace/contract";
import { defined } from "@millrace/sdk/core";
import type { NativeModules } from "./native-modules.ts";

/** The device as React Native describes it. What the app knows better (advertising id, model) takes precedence. */
export function nativeDevice(
  { Platform, Dimensions }: Pick<NativeModules, "Platform" | "Dimensions">,
  own: Partial<Device> = {},
): Device {
  const { width, height, scale } = Dimensions.get("window");
  const pxratio = Math.min(10, scale) || 1;
  return {
    os: Platform.OS,
    osv: versionOf(Platform),
    model: Platform.isPad === true ? "iPad" : undefined,
    // Physical pixels (OpenRTB 2.6, section 3.2.18). What is not known is 0; JSON leaves out what is undefined.
    w: Math.round(width * pxratio) || undefined,
    h: Math.round(height * pxratio) || undefined,
    pxratio,
    ...defined(own),
  };
}

/** The version of the system. On Android, React Native's own is that of the API: 35 is Android 15. */
function versionOf({ OS, Version, constants }: NativeModules["Platform"]): string | undefined {
  if (OS !== "android") return String(Version);
  return constants && "Release" in constants ? String(constants.Release) : undefined;
}

/** The platform of an app that does not name its own. */
export function nativePlatform({ OS }: NativeModules["Platform"]): Platform {
  return OS === "ios" || OS === "android" ? OS : "others";
}
