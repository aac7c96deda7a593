import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { Platform } from "../support/start-platform.ts";
import { visitor } from "../support/visitor.ts";
import { waitUntilDrawn, openScreen } from "./open-screen.ts";
import { DRAWN_AT, replayCalls } from "./recorded-calls.ts";
import type { Recording } from "./recording.ts";
import { type ScreenName, VIEWERS, type Viewer, screensOf } from "./screens.ts";

export const SCHEMES = ["light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

export const PICTURES = new URL("../../docs/screens/", import.meta.url);
export const pictureOf = (name: ScreenName, scheme: Scheme): string =>
  fileURLToPath(new URL(`${name}-${scheme}.webp`, PICTURES));

/** Longer pages are cut. */
const MAX_HEIGHT = 1600;
const WIDTH = 1440;
/** Of the window in which they are opened. */
const HEIGHT = 900;

interface Shot {
  name: ScreenName;
  scheme: Scheme;
  /** WebP without loss. */
  picture: Buffer;
  /** Whether it will not be drawn again. */
  isLast: boolean;
}

/** Receives a picture. Resolves to false to ask for another drawing. */
export type Take = (shot: Shot) => Promise<boolean>;

/** The entries of the sidebar stand between pixels, and are rounded to one or the other. */
const MOST_DRAWINGS = 4;

/**
 * Draws every screen from a recording in both colour schemes, and hands over each picture. The platform serves only the pages
 * and the files of the build. Throws if a page makes a call that was not recorded.
 */
export async function drawScreens(
  browser: Browser,
  platform: Platform,
  recording: Recording,
  take: Take,
): Promise<void> {
  // Pages wait much of their time.
  await Promise.all(VIEWERS.map((viewer) => drawViewer(browser, platform, recording, viewer, take)));
}

async function drawViewer(
  browser: Browser,
  platform: Platform,
  recording: Recording,
  viewer: Viewer,
  take: Take,
): Promise<void> {
  const context = await visitor(browser, { ...platform, url: DRAWN_AT });
  const missing = await replayCalls(context, recording.answers[viewer], platform.url);
  const page = await context.newPage();
  for (const name of screensOf(viewer)) {
    const screen = recording.screens[name];
    if (!screen) throw new Error(`${name} was not recorded: record anew with --record`);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      for (let drawing = 1, isTaken = false; !isTaken && drawing <= MOST_DRAWINGS; drawing++) {
        await openScreen(page, screen);
        if (missing.length > 0) {
          const calls = missing.join(", ");
          throw new Error(`${name} makes calls that were not recorded, so record anew with --record: ${calls}`);
        }
        isTaken = await take({ name, scheme, picture: await pictureOfPage(page), isLast: drawing === MOST_DRAWINGS });
      }
    }
  }
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
}

/** A window as high as the page, so that what stands at the window's edges stands at the picture's. */
async function pictureOfPage(page: Page): Promise<Buffer> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: WIDTH, height: Math.min(height, MAX_HEIGHT) });
  await page.evaluate(waitUntilDrawn);
  const png = await page.screenshot({ animations: "disabled" });
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  return sharp(png).webp({ lossless: true, effort: 6 }).toBuffer();
}
