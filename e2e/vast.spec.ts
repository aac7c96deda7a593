import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { clearOfMidnight } from "./support/clear-of-midnight.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { servePage } from "./support/serve-page.ts";
import { demoApp, signIn, zoneNumbers } from "./support/sign-in.ts";
import { AWAITED } from "./support/timing.ts";

const platform = inject("platform");
/** A zone that only this run uses. */
const ZONE = `vast-${randomUUID()}`;

/** The fields of a parsed VAST document that this test reads. */
interface PlayedAd {
  version: string;
  mediaFiles: { url: string; type: string; width: number; height: number }[];
  duration: number;
  impressions: string[];
  errors: string[];
  clickThrough: string;
  clickTracking: string[];
  events: Record<string, string[]>;
}

declare global {
  interface Window {
    loadVast: (url: string) => Promise<PlayedAd | null>;
    trackVast: () => void;
    playVast: () => void;
  }
}

const PAGE_SCRIPT = `
import { VASTClient, VASTTracker } from "@dailymotion/vast-client";
const client = new VASTClient();
let tracker;
window.loadVast = async (url) => {
  const response = await client.get(url, { withCredentials: true, resolveAll: true });
  const ad = response.ads[0];
  if (!ad) return null;
  const creative = ad.creatives.find(({ type }) => type === "linear");
  tracker = new VASTTracker(client, ad, creative);
  return {
    version: response.version,
    mediaFiles: creative.mediaFiles.map((file) => ({ url: file.fileURL, type: file.mimeType, width: file.width, height: file.height })),
    duration: creative.duration,
    impressions: ad.impressionURLTemplates.map(({ url }) => url),
    errors: ad.errorURLTemplates,
    clickThrough: creative.videoClickThroughURLTemplate?.url ?? "",
    clickTracking: creative.videoClickTrackingURLTemplates.map(({ url }) => url),
    events: creative.trackingEvents,
  };
};
window.trackVast = () => { tracker.trackImpression(); tracker.click(); };
window.playVast = () => {
  const duration = tracker.assetDuration;
  // One second at a time, as players report it. The tracker derives the quartiles.
  for (let second = 0; second <= duration; second++) tracker.setProgress(second + 0.01);
  tracker.setPaused(true);
  tracker.setPaused(false);
  tracker.setMuted(true);
  tracker.setMuted(false);
  tracker.complete();
  tracker.error({ ERRORCODE: "405" });
};
`;

clearOfMidnight();
let browser: Browser;
let page: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  [browser, page] = await Promise.all([launchBrowser(), servePage(PAGE_SCRIPT)]);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
});

test("a VAST client in a browser reads what /vast returns: media, tracking and click, and its impression is counted", async () => {
  const user = await signIn(platform);
  const app = await demoApp(platform);
  const tab = await browser.newPage();
  await tab.goto(page.url);
  const tag = `${platform.url}/vast?app=${app}&zone=${ZONE}&w=640&h=360&ifa=${randomUUID()}`;

  // Bidders may decline or miss their deadline on a busy machine, and a campaign's own video may win, so this asks until one of
  // them sells.
  const isOwn = (it: PlayedAd) => it.mediaFiles.some(({ url }) => url.startsWith(`${platform.url}/files/`));
  let ad: PlayedAd | null = null;
  for (const until = Date.now() + AWAITED.timeout; (ad === null || isOwn(ad)) && Date.now() < until;) {
    ad = await tab.evaluate((url) => window.loadVast(url), tag);
  }
  expect(ad).not.toBeNull();
  if (!ad) return;
  expect(Number(ad.version)).toBeGreaterThanOrEqual(3);
  expect(ad.duration).toBeGreaterThan(0);
  expect(ad.mediaFiles.some(({ type, url }) => type === "video/mp4" && URL.canParse(url))).toBe(true);
  // Our trackers are added to the bidder's, which stay unchanged.
  const ours = (urls: string[], path: string) =>
    urls.filter((url) => url.startsWith(`${platform.url}/beacon/${path}?t=`));
  expect(ours(ad.impressions, "impression")).toHaveLength(1);
  expect(ad.impressions.length).toBeGreaterThan(1);
  expect(ours(ad.errors, "loss").every((url) => url.includes("[ERRORCODE]"))).toBe(true);
  expect(ad.errors.length).toBeGreaterThan(1);
  expect(ours(ad.clickTracking, "click")).toHaveLength(1);
  expect(URL.canParse(ad.clickThrough)).toBe(true);

  for (const event of ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume"]) {
    expect(ours(ad.events[event] ?? [], "player")).toHaveLength(1);
  }

  // A click within a tenth of a second is not counted as a person's.
  await tab.waitForTimeout(500);
  await tab.evaluate(() => window.trackVast());
  await vi.waitFor(
    async () => expect(await zoneNumbers(user, app, ZONE)).toMatchObject({ impressions: 1, clicks: 1 }),
    AWAITED,
  );

  // Every player event reaches the platform and is answered with 200.
  const statuses = new Map<string, number>();
  tab.on("response", (response) => {
    const { pathname, searchParams } = new URL(response.url());
    const event = pathname === "/beacon/player" ? searchParams.get("e") : searchParams.get("e") && "error";
    if (response.url().startsWith(platform.url) && event) statuses.set(event, response.status());
  });
  await tab.evaluate(() => window.playVast());
  const events = "start firstQuartile midpoint thirdQuartile complete pause resume mute unmute error".split(" ");
  await vi.waitFor(
    () => expect(Object.fromEntries(statuses)).toMatchObject(Object.fromEntries(events.map((event) => [event, 200]))),
    AWAITED,
  );
  await tab.close();
});

test("a tag without an ad returns an empty VAST document, and a malformed tag is refused", async () => {
  const reply = await fetch(`${platform.url}/vast?app=6f9619ff-8b86-4d01-b42d-00cf4fc964ff&zone=${ZONE}`);
  expect(reply.status).toBeLessThan(500);
  if (reply.ok) expect(await reply.text()).toMatch(/<VAST[^>]*(\/>|>\s*<\/VAST>)/);
  for (const query of ["", "app=x&zone=y", "zone=ok", "app=6f9619ff-8b86-4d01-b42d-00cf4fc964ff&zone=%20"]) {
    expect((await fetch(`${platform.url}/vast?${query}`)).status).toBe(400);
  }
});
