import type { Format, Platform } from "@millrace/contract";
import { APPS, AUDIENCES } from "./catalogue.data.ts";
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

/** An app as the data file writes it. */
export interface AppFacts extends Omit<DemoApp, "logoUrl" | "audience"> {
  logo: { colours: readonly [string, string]; shape: string };
  audience: keyof typeof AUDIENCES;
}

/** The demo's apps: every platform of the product, most formats on each. */
export const CATALOGUE: readonly DemoApp[] = APPS.map(({ logo, audience, ...facts }) => ({
  ...facts,
  logoUrl: logoUrl(logo),
  audience: shares(AUDIENCES[audience]),
}));

function shares(weights: Partial<Record<CountryCode, number>>): { country: CountryCode; share: number }[] {
  const all = Object.entries(weights) as [CountryCode, number][];
  const sum = all.reduce((total, [, weight]) => total + weight, 0);
  return all.map(([country, weight]) => ({ country, share: weight / sum }));
}

/** A drawn icon as a data address: the demo loads nothing from elsewhere. */
function logoUrl({ colours: [from, to], shape }: AppFacts["logo"]): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="48" height="48" rx="11" fill="url(#g)"/>${shape}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
