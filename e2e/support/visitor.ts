import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext } from "playwright-core";
import type { Platform } from "./start-platform.ts";

export interface Look {
  width: 360 | 900 | 1440;
  scheme: "light" | "dark";
}

export interface VisitorOptions {
  look?: Look | undefined;
  isPlain?: boolean;
  /** False for a browser that has JavaScript switched off. */
  runsScripts?: boolean;
}

/** Generous, because a busy machine is slow, not broken. */
const WAITS_MS = 60_000;

/** The header of a random client address, as the operator's proxy adds it. Rate limits by address then affect no other test. */
export function fromOwnAddress(): Record<string, string> {
  const [a, b, c] = randomBytes(3);
  return { "x-forwarded-for": `10.${a}.${b}.${c}` };
}

/**
 * A new browser context without a session, from its own address. With `isPlain` it adds no header, because an extra header
 * makes a browser send a preflight before cross-origin requests.
 */
export async function visitor(
  browser: Browser,
  { url }: Platform,
  { look = { width: 1440, scheme: "light" }, isPlain = false, runsScripts = true }: VisitorOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: 900 },
    colorScheme: look.scheme,
    reducedMotion: "reduce",
    locale: "en-US",
    javaScriptEnabled: runsScripts,
    ...(isPlain ? {} : { extraHTTPHeaders: fromOwnAddress() }),
  });
  context.setDefaultTimeout(WAITS_MS);
  return context;
}
