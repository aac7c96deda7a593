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
const ZONE = `prebid-${randomUUID()}`;
/** Bidders of the demo. Any of them may win. */
const BIDDERS = ["lab-steady", "lab-performance", "lab-games", "lab-bargain"];

/** The fields of a prebid.js bid that this test reads. */
interface PrebidBid {
  bidderCode: string;
  cpm: number;
  currency: string;
  width: number;
  height: number;
  adId: string;
  mediaType: string;
  ad: string;
  vastUrl?: string;
  videoCacheKey?: string;
  adserverTargeting: Record<string, string>;
}

declare global {
  interface Window {
    askPrebid: (options: unknown) => Promise<PrebidBid[]>;
    askInstream: (options: unknown) => Promise<PrebidBid[]>;
    loadCached: (url: string) => Promise<{ media: string; impressions: string[] }>;
    renderBid: (adId: string) => void;
    prebidVersion: string;
  }
}

const PAGE_SCRIPT = `
import { VASTClient } from "@dailymotion/vast-client";
import pbjs from "prebid.js";
import "prebid.js/modules/prebidServerBidAdapter.js";
pbjs.processQueue();
window.prebidVersion = pbjs.version;
window.askPrebid = ({ url, app, bidders, zone, ifa }) => new Promise((resolve) => {
  pbjs.setConfig({
    ortb2: { app: { id: app, bundle: "app.example", publisher: { id: "demo" } }, device: { ifa, os: "android", osv: "15" } },
    userSync: { syncEnabled: false },
    s2sConfig: { accountId: "demo", enabled: true, adapter: "prebidServer", bidders, timeout: 3000, endpoint: url + "/openrtb2/auction" },
  });
  pbjs.requestBids({
    timeout: 6000,
    adUnits: [{
      code: zone,
      mediaTypes: { banner: { sizes: [[320, 50]] } },
      ortb2Imp: { tagid: zone },
      bids: bidders.map((bidder) => ({ bidder, params: {} })),
    }],
    bidsBackHandler: () => resolve(pbjs.getHighestCpmBids(zone)),
  });
});
window.askInstream = ({ url, app, bidders, zone, ifa }) => new Promise((resolve) => {
  pbjs.setConfig({
    ortb2: { app: { id: app, bundle: "app.example", publisher: { id: "demo" } }, device: { ifa, os: "android", osv: "15" } },
    userSync: { syncEnabled: false },
    s2sConfig: {
      accountId: "demo", enabled: true, adapter: "prebidServer", bidders, timeout: 3000, endpoint: url + "/openrtb2/auction",
      extPrebid: { cache: { vastxml: { returnCreative: false } }, targeting: { includewinners: true, includebidderkeys: false } },
    },
  });
  pbjs.requestBids({
    timeout: 6000,
    adUnits: [{
      code: zone,
      mediaTypes: { video: { context: "instream", playerSize: [[640, 360]], mimes: ["video/mp4"], protocols: [2, 3, 5, 6, 7, 8, 13, 14], plcmt: 1 } },
      ortb2Imp: { tagid: zone },
      bids: bidders.map((bidder) => ({ bidder, params: {} })),
    }],
    bidsBackHandler: () => resolve(pbjs.getHighestCpmBids(zone)),
  });
});
window.loadCached = async (url) => {
  const { ads: [ad] } = await new VASTClient().get(url, { withCredentials: true });
  const linear = ad.creatives.find(({ type }) => type === "linear");
  return { media: linear.mediaFiles[0].fileURL, impressions: ad.impressionURLTemplates.map(({ url }) => url) };
};
window.renderBid = (adId) => pbjs.renderAd(document.querySelector("iframe").contentDocument, adId);
`;

clearOfMidnight();
let browser: Browser;
let page: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  [browser, page] = await Promise.all([
    launchBrowser(),
    servePage(PAGE_SCRIPT, `<iframe width="320" height="50"></iframe>`),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
});

test("prebid.js renders a bid from /openrtb2/auction through its server adapter, and the impression is counted", async () => {
  const user = await signIn(platform);
  const app = await demoApp(platform);
  const tab = await browser.newPage();
  await tab.goto(page.url);
  expect(await tab.evaluate(() => window.prebidVersion)).toMatch(/^v11\./);
  const ask = { url: platform.url, app, bidders: BIDDERS, zone: ZONE, ifa: randomUUID() };

  // Bidders may decline or miss their deadline on a busy machine, so this asks until an auction sells.
  let winner: PrebidBid | undefined;
  for (const until = Date.now() + AWAITED.timeout; winner === undefined && Date.now() < until;) {
    [winner] = await tab.evaluate((options) => window.askPrebid(options), ask);
  }
  expect(winner).toMatchObject({ currency: "USD", width: 320, height: 50, mediaType: "banner" });
  expect(BIDDERS).toContain(winner?.bidderCode);
  expect(winner?.cpm).toBeGreaterThan(0);
  if (!winner) return;

  const before = await zoneNumbers(user, app, ZONE);
  await tab.evaluate((adId) => window.renderBid(adId), winner.adId);
  // Prebid renders into its own frame inside the page's.
  await vi.waitFor(async () => {
    const links = await Promise.all(tab.frames().map((frame) => frame.locator("a").count()));
    expect(links.some((count) => count > 0)).toBe(true);
  }, AWAITED);
  await vi.waitFor(
    async () => expect((await zoneNumbers(user, app, ZONE)).impressions).toBe(before.impressions + 1),
    AWAITED,
  );
  await tab.close();
});

test("prebid.js gets an instream bid with a cache URL, and a player loads the VAST from it", async () => {
  const app = await demoApp(platform);
  const tab = await browser.newPage();
  await tab.goto(page.url);
  const ask = { url: platform.url, app, bidders: BIDDERS, zone: `${ZONE}-video`, ifa: randomUUID() };
  let winner: PrebidBid | undefined;
  for (const until = Date.now() + AWAITED.timeout; winner === undefined && Date.now() < until;) {
    [winner] = await tab.evaluate((options) => window.askInstream(options), ask);
  }
  const { hostname, port } = new URL(platform.url);
  expect(winner).toMatchObject({
    mediaType: "video",
    vastUrl: `${platform.url}/cache?uuid=${winner?.videoCacheKey ?? ""}`,
    adserverTargeting: {
      hb_uuid: winner?.videoCacheKey,
      hb_cache_host: `${hostname}:${port}`,
      hb_cache_path: "/cache",
    },
  });
  const played = await tab.evaluate((url) => window.loadCached(url), winner?.vastUrl ?? "");
  expect(URL.canParse(played.media)).toBe(true);
  expect(played.impressions.some((url) => url.startsWith(`${platform.url}/beacon/impression?t=`))).toBe(true);
  await tab.close();
});
