import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext } from "playwright-core";
import type { Platform } from "./start-platform.ts";

export interface Look {
  width: 360 | 1440;
  scheme: "light" | "dark";
}

/** A busy machine is slow, not wrong. */
const WAITS_MS = 60_000;

/** The header of an address of one's own, as a proxy of the operator adds it: tries are counted by address, and held against nobody else. */
export function fromOwnAddress(): Record<string, string> {
  const [a, b, c] = randomBytes(3);
  return { "x-forwarded-for": `10.${a}.${b}.${c}` };
}

/**
 * A browser profile of its own on the platform, from an address of its own; nobody is signed in. With `isPlain` its requests
 * are a browser's alone: where pages of other origins ask, a header more changes what a browser asks before.
 */
export async function visitor(
  browser: Browser,
  { url }: Platform,
  { look = { width: 1440, scheme: "light" }, isPlain = false }: { look?: Look | undefined; isPlain?: boolean } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: 900 },
    colorScheme: look.scheme,
    reducedMotion: "reduce",
    locale: "en-US",
    ...(isPlain ? {} : { extraHTTPHeaders: fromOwnAddress() }),
  });
  context.setDefaultTimeout(WAITS_MS);
  return context;
}
