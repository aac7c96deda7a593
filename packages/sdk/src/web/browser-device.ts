import type { Device } from "@millrace/contract";

/** The device as the browser describes it. Values from the app (ifa, model) take precedence. */
export function browserDevice(own: Partial<Device> = {}): Device {
  const { userAgent, language } = navigator;
  return {
    os: osOf(userAgent),
    ua: userAgent.slice(0, 1024),
    // What the browser does not tell is 0 or empty; JSON leaves out what is undefined.
    language: language?.slice(0, 16) || undefined,
    w: Math.round(screen.width) || undefined,
    h: Math.round(screen.height) || undefined,
    pxratio: Math.min(10, devicePixelRatio) || undefined,
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
