import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

/** Where a screen is, and when, in milliseconds since 1970: its clock stands still at this time. */
export interface OpenedScreen {
  path: string;
  at: number;
}

/** Opens a page and waits until it has drawn everything it requests, including what it requests on scrolling. */
export async function openScreen(page: Page, { path, at }: OpenedScreen): Promise<void> {
  const traffic = watchTraffic(page);
  await page.clock.setFixedTime(at);
  await page.goto(path);
  await traffic.quiet();
  // Farther down, no picture shows anything.
  for (let step = 0; step < 2; step++) {
    await page.evaluate(() => scrollBy(0, 0.8 * innerHeight));
    await traffic.quiet();
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(waitUntilDrawn);
  traffic.stop();
}

const QUIET_MS = 500;
/** Pages that poll may never be quiet. */
const QUIET_WITHIN_MS = 15_000;

/** `quiet` waits until the page has waited for no answer for half a second. */
function watchTraffic(page: Page) {
  const open = new Set<Request>();
  let changedAt = Date.now();
  const begin = (request: Request) => {
    open.add(request);
    changedAt = Date.now();
  };
  const end = (request: Request) => {
    open.delete(request);
    changedAt = Date.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  return {
    async quiet(): Promise<void> {
      const since = Date.now();
      // What has just changed in the page may be about to ask.
      changedAt = since;
      while (Date.now() < since + QUIET_WITHIN_MS) {
        if (open.size === 0 && Date.now() > changedAt + QUIET_MS) return;
        await sleep(50);
      }
    },
    stop: () => page.off("request", begin).off("requestfinished", end).off("requestfailed", end),
  };
}

/** Runs in the page: its letters and its pictures are there. */
export async function waitUntilDrawn(): Promise<void> {
  await document.fonts.ready;
  // One that loads on scrolling may never be asked for.
  const loaded = [...document.images].filter((image) => image.complete);
  await Promise.all(loaded.map((image) => image.decode().catch(() => undefined)));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
