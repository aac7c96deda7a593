import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import type { Look } from "./visitor.ts";

/** Desktop and phone, light and dark. */
const LOOKS: readonly Look[] = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 360, scheme: "dark" },
  { width: 360, scheme: "light" },
];

/** The same and a tablet, for screens that take another shape there. */
export const LOOKS_WITH_TABLET: readonly Look[] = [
  ...LOOKS,
  { width: 900, scheme: "light" },
  { width: 900, scheme: "dark" },
];

/** The timeout of tests that call `faultsOn`: axe takes seconds, for several screens per test and four looks per screen. */
export const LOOKING_MS = 600_000;

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const SETTLED_MS = 60_000;

/**
 * The violations of WCAG 2.2 AA and the horizontal overflow of a screen, on a phone and on a desktop, light and dark, one line
 * each. The screen is not reloaded between looks.
 */
export async function faultsOn(page: Page, screen: string, looks = LOOKS): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = await settled(async () => [...(await tooWide(page)), ...(await axeFindings(page, scheme))]);
    faults.push(...found.map((line) => `${screen} at ${width} px, ${scheme}: ${line}`));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return faults;
}

/** A page takes a moment to adapt to a new size and color scheme, so findings only count if they persist. */
async function settled(look: () => Promise<string[]>): Promise<string[]> {
  for (const until = Date.now() + SETTLED_MS; ;) {
    const found = await look();
    if (found.length === 0 || Date.now() > until) return found;
  }
}

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules that depend on colors. All others give the same result in the dark scheme as in the light one. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** A frame that loads anew while axe reads it never answers, so it is asked again. */
const FRAME_WAIT_MS = 20_000;

/** The violations of WCAG 2.2 AA on the page and in its frames of the same origin, one line each. */
async function axeFindings(page: Page, scheme: Look["scheme"]): Promise<string[]> {
  const [main, ...inner] = page.frames().map(injectAxe);
  // A frame can be gone, also while the page itself is still busy, or run no scripts.
  await Promise.all([main, Promise.allSettled(inner)]);
  const options: axe.RunOptions = {
    runOnly: scheme === "dark" ? { type: "rule", values: COLOR_RULES } : { type: "tag", values: TAGS },
    // Otherwise axe also describes every element that passes, which takes a third of its time.
    resultTypes: ["violations"],
    frameWaitTime: FRAME_WAIT_MS,
  };
  const violations = await page
    .evaluate(async (it) => (await window.axe.run(it)).violations, options)
    .catch((error: unknown) => {
      if (String(error).includes("Axe in frame timed out")) return null;
      throw error;
    });
  if (violations === null) return ["a frame did not answer axe"];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

const INJECTED_WITHIN_MS = 30_000;
/** Half as long as the package's main file, which each page would have to parse. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Loads axe once per document: its first run is the slowest, because the browser compiles it. */
async function injectAxe(frame: Frame): Promise<void> {
  const inject = async () => {
    if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(AXE);
  };
  await (frame.parentFrame() === null ? inject() : Promise.race([inject(), sleep(INJECTED_WITHIN_MS)]));
}

/** Reports horizontal overflow. */
async function tooWide(page: Page): Promise<string[]> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than its window`] : [];
}

/** The tables that are wider than their place. */
export const cutColumns = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("table")].flatMap(({ parentElement: place, caption }) =>
      place !== null && place.scrollWidth > place.clientWidth
        ? [`${caption?.textContent ?? ""}: ${place.scrollWidth} in ${place.clientWidth} px`]
        : [],
    ),
  );
