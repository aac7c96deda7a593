import type { Format, Platform } from "@millrace/contract";
import type { CountryCode } from "./countries.ts";

/** When people use an app: games in the evening, radio on the way to work, and so on. */
export type Rhythm = "game" | "tool" | "radio" | "television";

/** A place in an app where ads show. */
export interface DemoZone {
  zone: string;
  name: string;
  format: Format;
  /** Ad requests in a session, on average. */
  perSession: number;
  /** Size asked for, in device-independent pixels; absent where the format has none. */
  size?: readonly [number, number];
  refreshSeconds: number;
}

/** One of the demo's apps, and the people who use it. */
export interface DemoApp {
  /** Names the app in seeds: never changes. */
  slug: string;
  name: string;
  bundleId: string;
  platform: Platform;
  logoUrl: string;
  rhythm: Rhythm;
  /** Devices that open the app on an ordinary day, once history ends. */
  dailyActives: number;
  sessionsPerActive: number;
  /** Median length of a session. */
  sessionSeconds: number;
  /** Share of the app's people by country; sums to 1. */
  audience: readonly { country: CountryCode; share: number }[];
  zones: readonly DemoZone[];
}
