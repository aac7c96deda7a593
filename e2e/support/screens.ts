import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import type { Look } from "./visitor.ts";

/** The four ways a screen is looked at. */
const LOOKS: readonly Look[] = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 360, scheme: "dark" },
  { width: 360, scheme: "light" },
];

/** Axe looks at a page for seconds, at several pages in a test, and in four ways at each. */
export const LOOKING_MS = 600_000;

const SETTLED_MS = 20_000;

/**
 * What keeps a screen from being open to everybody by WCAG 2.2 AA, or is wider than its window, on a telephone and on a desk,
 * light and dark: a line each, none when all is well. The screen is loaded once and looked at in all four ways.
 */
export async function faultsOn(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, scheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = await settled(async () => [...(await tooWide(page)), ...(await axeFindings(page, scheme))]);
    faults.push(...found.map((line) => `${screen} at ${width} px, ${scheme}: ${line}`));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return faults;
}

/** A page takes a moment to take another size and other colours: what is found must still be there later. */
async function settled(look: () => Promise<string[]>): Promise<string[]> {
  for (const until = Date.now() + SETTLED_MS; ;) {
    const found = await look();
    if (found.length === 0 || Date.now() > until) return found;
  }
}

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules that look at colours: by the others a page in the dark is the page that was looked at in the light. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** What WCAG 2.2 AA forbids on the page and in its frames, a line each; empty when nothing. */
async function axeFindings(page: Page, scheme: Look["scheme"]): Promise<string[]> {
  // Without the legacy mode each look opens a page more, to gather what frames of other origins say; ours have none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (scheme === "dark" ? axe.withRules(OF_COLOURS) : axe.withTags(TAGS)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Nothing of a page may be beside the screen. */
async function tooWide(page: Page): Promise<string[]> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than its window`] : [];
}
