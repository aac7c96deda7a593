import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { findBrowser } from "../support/find-browser.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { startPlatform } from "../support/start-platform.ts";
import { waitForHistory, waitForMoney } from "../support/wait-for-history.ts";
import { comparePictures, differenceInWords, isSame } from "./compare-pictures.ts";
import { readRecording, recordScreens, writeRecording } from "./recording.ts";
import { PICTURES, type Scheme, type Take, drawScreens, pictureOf } from "./screenshots.ts";
import type { ScreenName } from "./screens.ts";

const DIFFERENCES = new URL("../../.cache/screens/", import.meta.url);
/** Pictures of a demo without its history would be worth nothing. */
const HISTORY_WITHIN_MINUTES = 60;
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Draws every screen from the kept recording: into docs/screens, or with `--compare` to compare them with the pictures there.
 * With `--record`, a new demo is recorded first.
 */
async function takeScreenshots(): Promise<void> {
  const options = { record: { type: "boolean" }, compare: { type: "boolean" } } as const;
  const { record, compare } = parseArgs({ options }).values;
  // The kept pictures were drawn by the whole browser. Another one may draw letters differently.
  const browser = await launchBrowser(findBrowser());
  try {
    if (record) await recordDemo(browser);
    await drawAll(browser, compare ? comparison() : keeping());
  } finally {
    await browser.close();
  }
}

async function recordDemo(browser: Browser): Promise<void> {
  const { platform, stop } = await startPlatform();
  try {
    say("waiting for the demo's history, which takes minutes");
    await waitForHistory(platform, HISTORY_WITHIN_MINUTES);
    say("waiting for its payouts and deductions");
    await waitForMoney(platform);
    await writeRecording(await recordScreens(browser, platform, say));
  } finally {
    await stop();
  }
}

interface Use {
  take: Take;
  end?: () => void;
}

/** Without a demo, whose traffic would take time from the drawing. */
async function drawAll(browser: Browser, { take, end }: Use): Promise<void> {
  const { platform, stop } = await startPlatform({ MILLRACE_DEMO: "0" });
  try {
    await mkdir(PICTURES, { recursive: true });
    await drawScreens(browser, platform, await readRecording(), take);
    end?.();
  } finally {
    await stop();
  }
}

/** Keeps each picture once two drawings after one another agree. */
function keeping(): Use {
  const drawn = new Map<string, Buffer>();
  return {
    take: async ({ name, scheme, picture, isLast }) => {
      const file = pictureOf(name, scheme);
      const before = drawn.get(file);
      drawn.set(file, picture);
      const agrees = before !== undefined && isSame(await comparePictures(before, picture));
      if (!agrees && !isLast) return false;
      await writeFile(file, picture);
      await showOnLanding(name, scheme, picture);
      say(`took ${name}, ${scheme}`);
      return true;
    },
  };
}

/** The screens that the landing page shows, by the names of their pictures there. */
const ON_LANDING: Partial<Record<ScreenName, string>> = {
  appPerformance: "statistics",
  auction: "auction",
  appMediation: "mediation",
};

/** The landing page has the top of a picture, in a size that loads fast. */
async function showOnLanding(name: ScreenName, scheme: Scheme, picture: Buffer): Promise<void> {
  const shown = ON_LANDING[name];
  if (shown === undefined) return;
  const file = new URL(`../../web/src/areas/site/landing/pictures/${shown}-${scheme}.webp`, import.meta.url);
  const top = { left: 0, top: 0, width: 1440, height: 900 };
  await writeFile(file, await sharp(picture).extract(top).webp({ quality: 80, effort: 6 }).toBuffer());
}

/** Says which screens differ from the kept pictures, writes the differences as pictures, and exits with 1 if there are any. */
function comparison(): Use {
  let total = 0;
  let different = 0;
  return {
    take: async ({ name, scheme, picture, isLast }) => {
      const kept = await readFile(pictureOf(name, scheme)).catch(() => null);
      const difference = kept && (await comparePictures(kept, picture));
      const isEqual = difference !== null && isSame(difference);
      if (!isEqual && !isLast) return false;
      total++;
      if (isEqual) return true;
      different++;
      const title = `${name}, ${scheme}`;
      say(difference ? differenceInWords(title, difference) : `${title}: there is no picture of it`);
      await mkdir(DIFFERENCES, { recursive: true });
      await writeFile(new URL(`${name}-${scheme}.webp`, DIFFERENCES), picture);
      if (difference) await writeFile(new URL(`${name}-${scheme}-difference.png`, DIFFERENCES), difference.picture);
      return true;
    },
    end: () => {
      say(`${different} of ${total} pictures differ`);
      if (different === 0) return;
      say(`The new pictures and their differences are in ${fileURLToPath(DIFFERENCES)}`);
      process.exitCode = 1;
    },
  };
}

await rm(DIFFERENCES, { recursive: true, force: true });
await takeScreenshots();
