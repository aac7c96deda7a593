import type { Device } from "@millrace/contract";
import { defined } from "../core/index.ts";

/** The device as the browser describes it. Values from the app (ifa, model) take precedence. */
export function browserDevice(own: Partial<Device> = {}): Device {
  const { userAgent, language } = navigator;
  const pxratio = Math.min(10, devicePixelRatio) || 1;
  return {
    os: osOf(userAgent),
    ua: userAgent.slice(0, 1024),
    // What the browser does not tell is 0 or empty; JSON leaves out what is undefined.
    language: language?.slice(0, 16) || undefined,
    // Physical pixels (OpenRTB 2.6, section 3.2.18); a screen has CSS pixels.
    w: Math.round(screen.width * pxratio) || undefined,
    h: Math.round(screen.height * pxratio) || undefined,
    pxratio,
    ...defined(own),
  };
}

const SYSTEMS = [
  [/Tizen/, "tizen"],
  [/Android|; wv\)/, "android"],
  [/iPhone|iPad|iPod/, "ios"],
  [/Windows/, "windows"],
  [/Mac OS X/, "macos"],
  [/Linux|X11/, "linux"],
] as const;

function osOf(userAgent: string): string {
  return SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "other";
}
