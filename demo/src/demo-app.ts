import type { Format, Platform } from "@millrace/contract";
import type { CountryCode } from "./countries.ts";

/** The daily and weekly usage pattern of an app. */
export type Rhythm = "game" | "tool" | "radio" | "television";

export interface DemoZone {
  zone: string;
  name: string;
  format: Format;
  /** Ad requests in a session, on average. */
  perSession: number;
  /** The requested size in device-independent pixels; absent for formats without one. */
  size?: readonly [number, number];
  refreshSeconds: number;
  /** What a user earns with an ad of this zone; absent for the app's own reward. */
  reward?: { name: string; amount: number };
}

/** One of the demo's apps, and its users. */
export interface DemoApp {
  /** Identifies the app in random seeds, so it never changes. */
  slug: string;
  name: string;
  bundleId: string;
  platform: Platform;
  logoUrl: string;
  rhythm: Rhythm;
  /** Devices that open the app on an average day, from the end of history on. */
  dailyActives: number;
  sessionsPerActive: number;
  /** Median length of a session. */
  sessionSeconds: number;
  /** The share of the users by country; sums to 1. */
  audience: readonly { country: CountryCode; share: number }[];
  zones: readonly DemoZone[];
}
