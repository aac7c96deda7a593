import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Platform } from "./start-platform.ts";

export interface Look {
  width: 360 | 1440;
  scheme: "light" | "dark";
}

/** The four ways a screen is looked at. */
export const LOOKS: readonly Look[] = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 360, scheme: "light" },
  { width: 360, scheme: "dark" },
];

/** A browser profile of its own on the platform; nobody is signed in. */
export const visitor = (browser: Browser, { url }: Platform, look: Look = { width: 1440, scheme: "light" }) =>
  browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: 900 },
    colorScheme: look.scheme,
    reducedMotion: "reduce",
    locale: "en-US",
  });

/** The same, signed in as the demo's publisher. */
export async function publisher(browser: Browser, platform: Platform, look?: Look): Promise<BrowserContext> {
  const context = await visitor(browser, platform, look);
  const reply = await context.request.post("/login.json", {
    data: { email: platform.publisher, password: platform.password },
  });
  if (!reply.ok()) throw new Error(`Signing in was answered ${reply.status()}`);
  return context;
}

/** What WCAG 2.2 AA forbids on the page, a line each; empty when nothing. */
export async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** How far the page is wider than its window: nothing of a page may be beside the screen. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
