import type { Device } from "@millrace/contract";

/** The device as the browser describes it. Values from the app (ifa, model) take precedence. */
export function browserDevice(own: Partial<Device> = {}): Device {
  const { userAgent, language } = navigator;
  const size = { w: Math.round(screen.width), h: Math.round(screen.height) };
  return {
    os: osOf(userAgent),
    ua: userAgent.slice(0, 1024),
    ...(language ? { language: language.slice(0, 16) } : {}),
    ...(size.w > 0 && size.h > 0 ? size : {}),
    ...(devicePixelRatio > 0 ? { pxratio: Math.min(10, devicePixelRatio) } : {}),
    ...own,
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
