import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { addDays, dayOf } from "@millrace/units";
import type { Browser, Page } from "playwright-core";
import { logIn } from "../support/new-person.ts";
import type { Platform } from "../support/start-platform.ts";
import { ADMIN, ADVERTISER } from "../support/test-users.ts";
import { visitor } from "../support/visitor.ts";
import { type OpenedScreen, openScreen } from "./open-screen.ts";
import { type Answers, recordCalls } from "./recorded-calls.ts";
import { type LinkedPlace, type ScreenName, SCREENS, VIEWERS, type Viewer, screensOf } from "./screens.ts";

/** What the screens of a running demo were answered, so that they can be drawn again. */
export interface Recording {
  screens: Partial<Record<ScreenName, OpenedScreen>>;
  answers: Record<Viewer, Answers>;
}

const FILE = new URL("recording.json.br", import.meta.url);

export async function readRecording(): Promise<Recording> {
  const packed = await readFile(FILE).catch(() => {
    throw new Error("There is no recording: run npm run screenshots -- --record");
  });
  return JSON.parse((await promisify(brotliDecompress)(packed)).toString()) as Recording;
}

export async function writeRecording(recording: Recording): Promise<void> {
  const text = Buffer.from(JSON.stringify(recording, null, 1));
  // The same lists come back on many pages, far apart.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  await writeFile(FILE, await promisify(brotliCompress)(text, { params }));
}

/** Opens every screen of a demo with its history. */
export async function recordScreens(
  browser: Browser,
  platform: Platform,
  say: (line: string) => void,
): Promise<Recording> {
  const screens: Recording["screens"] = {};
  const answers = {} as Record<Viewer, Answers>;
  await Promise.all(
    VIEWERS.map(async (viewer) => {
      answers[viewer] = await recordViewer(browser, platform, viewer, screens);
      say(`recorded the ${viewer}'s screens`);
    }),
  );
  return { screens, answers };
}

/** Opens all screens of a viewer, and adds them to `screens`. */
async function recordViewer(
  browser: Browser,
  platform: Platform,
  viewer: Viewer,
  screens: Recording["screens"],
): Promise<Answers> {
  const context = await visitor(browser, platform);
  const emails = { publisher: platform.publisher, advertiser: ADVERTISER, admin: ADMIN };
  if (viewer !== "visitor") await logIn(context, { email: emails[viewer], password: platform.password });
  const answers = recordCalls(context, platform.url);
  const page = await context.newPage();
  for (const name of screensOf(viewer)) {
    const { at: place, days } = SCREENS[name];
    const path = typeof place === "string" ? place : await placeOf(page, place, screens[place.on]?.path ?? "");
    const at = Date.now();
    screens[name] = { path: days === undefined ? path : `${path}?${lastDays(days, at)}`, at };
    await openScreen(page, screens[name]);
  }
  await context.close();
  return answers;
}

/** The address's part that names the days up to today. */
function lastDays(days: number, at: number): string {
  const today = dayOf(at);
  return `ds=${addDays(today, 1 - days)}&de=${today}`;
}

/** The address that a link on another screen names. */
async function placeOf(page: Page, { query, link, to, shows }: LinkedPlace, path: string): Promise<string> {
  const found = await linkOn(page, query === undefined ? path : `${path}?${query}`, { link, shows });
  return to === undefined ? found : found.replace(link, to);
}

async function isShown(page: Page, path: string, text: string): Promise<boolean> {
  await openScreen(page, { path, at: Date.now() });
  return page.getByText(text).first().isVisible();
}

/** Statements and payouts of a new demo follow its history after some minutes. */
const LINKED_WITHIN_MS = 600_000;

/** The first matching link, once its screen shows what it must. Throws if there is none after ten minutes. */
async function linkOn(page: Page, path: string, { link, shows }: Pick<LinkedPlace, "link" | "shows">): Promise<string> {
  for (const until = Date.now() + LINKED_WITHIN_MS; ; await sleep(5000)) {
    await openScreen(page, { path, at: Date.now() });
    const links = await page.locator("a").evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""));
    const found = links.find((one) => link.test(one));
    if (found !== undefined && (shows === undefined || (await isShown(page, found, shows)))) return found;
    if (Date.now() > until) throw new Error(`${path} has no link like ${link}`);
  }
}
