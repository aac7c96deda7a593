import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { someVideo } from "../server/src/platform/videos/testing/some-videos.ts";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf, loadAndShow, startSdk } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  server.markupType = "vast";
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const vast = (file: string, type: string) => `<?xml version="1.0"?><VAST version="4.2"><Ad id="1"><InLine>
  <AdSystem>Test</AdSystem><AdTitle>Tide</AdTitle><Impression>${server.endpoint}/track/impression</Impression>
  <Error>${server.endpoint}/track/error-[ERRORCODE]</Error><Creatives><Creative><Linear><Duration>00:00:04</Duration>
  <TrackingEvents><Tracking event="skip">${server.endpoint}/track/skip</Tracking></TrackingEvents><MediaFiles>
  <MediaFile delivery="progressive" type="${type}" width="320" height="180">${server.endpoint}/${file}</MediaFile>
  </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;

test("a video in the page can be skipped with the keyboard after its seconds, and then its place is empty", async () => {
  server.files.set("/video.mp4", { type: "video/mp4", body: await someVideo("h264.mp4") });
  server.markups = [vast("video.mp4", "video/mp4")];
  await startSdk(page, server);
  await page.evaluate(async () => {
    const into = document.querySelector<HTMLElement>("#place") ?? undefined;
    await window.Millrace.loadAd({ zone: "feed", format: "video" });
    await window.Millrace.showAd("feed", { ...(into && { into }), skipAfter: 1 });
  });
  const skip = page.getByRole("button", { name: "Skip the ad" });
  expect(await skip.count()).toBe(0);
  await skip.press("Enter");
  await vi.waitFor(async () => expect(await eventsOf(page, "hidden")).toHaveLength(1), AWAITED);
  expect(await page.locator("#place > *").count()).toBe(0);
  await vi.waitFor(() => expect(server.tracked).toEqual(["impression", "skip"]), AWAITED);
});

test("an ad without a place in the page is refused, and neither plays nor counts", async () => {
  server.files.set("/video.mp4", { type: "video/mp4", body: await someVideo("h264.mp4") });
  server.markups = [vast("video.mp4", "video/mp4")];
  await startSdk(page, server);
  const outcomes = await page.evaluate(async () => {
    const { loadAd, showAd } = window.Millrace;
    const outcomes: unknown[] = [await loadAd({ zone: "feed", format: "video" })];
    for (const into of [document.querySelector("#missing"), "#place", {}])
      outcomes.push(await showAd("feed", { into } as never));
    return outcomes;
  });
  const refused = { ok: false, code: "options" };
  expect(outcomes).toMatchObject([{ ok: true }, refused, refused, refused]);
  expect(await eventsOf(page, "displayFailed", "displayed", "revenuePaid")).toHaveLength(3);
  expect(await page.evaluate(() => window.Millrace.isAdReady("feed"))).toBe(true);
  expect(server.tracked).toEqual([]);
});

test("an audio ad that breaks while it plays is over", async () => {
  const spot = await readFile(new URL("../demo/media/spot.mp3", import.meta.url));
  server.files.set("/spot.mp3", { type: "audio/mpeg", body: spot });
  server.markups = [vast("spot.mp3", "audio/mpeg")];
  // The ad's element is in no document.
  await page.addInitScript(`
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener("playing", () => setTimeout(() => this.dispatchEvent(new Event("error"))));
      return play.call(this);
    };`);
  await startSdk(page, server);
  expect(await loadAndShow(page, "audio")).toMatchObject({ ok: true });
  await vi.waitFor(async () => expect(await page.evaluate(() => window.outcome)).toMatchObject({ ok: true }), AWAITED);
  expect(await eventsOf(page, "displayed", "hidden")).toMatchObject([{ type: "displayed" }, { type: "hidden" }]);
  await vi.waitFor(() => expect(server.tracked).toContain("error-401"), AWAITED);
});
