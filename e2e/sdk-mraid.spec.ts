import type { BrowserContext, Frame, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adServer, type AdServer } from "./support/ad-server.ts";
import { bannerScript, sdkBrowser } from "./support/sdk-browser.ts";
import { eventsOf, loadAndShow, startSdk } from "./support/sdk-page.ts";
import { AWAITED } from "./support/timing.ts";

const sdk = sdkBrowser();
let server: AdServer;
let context: BrowserContext;
let page: Page;

/**
 * A creative as the standard tells its authors to write one (MRAID 3.0): it hears every event. What a test runs in it counts as
 * a press on it.
 */
const CREATIVE = `<!doctype html><html><head><script src="mraid.js"></script></head>
<body style="margin:0;background:#1b6c62"><button id="expand" onclick="mraid.expand()">+</button>
<button id="resize" onclick="mraid.resize()">R</button><button id="open" onclick="mraid.open('/landing')">O</button>
<button id="close" onclick="mraid.close()">C</button><script>
window.log = [["state", mraid.getState()]];
["error", "ready", "sizeChange", "stateChange", "exposureChange", "audioVolumeChange", "viewableChange"].forEach(
  function (name) { mraid.addEventListener(name, function () { log.push([name].concat([].slice.call(arguments))) }) });
</script></body></html>`;

beforeEach(async () => {
  server = await adServer(sdk.sdkDir);
  server.markupType = "mraid";
  server.markups = [CREATIVE.replace("'/landing'", `'${server.endpoint}/landing'`)];
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

/** The ad's own frame, once it has heard `ready`. */
async function readyAd(): Promise<Frame> {
  return vi.waitFor(async () => {
    const frame = page.frames().at(-1);
    if (
      !frame ||
      frame === page.mainFrame() ||
      !(await frame.evaluate("window.log.some(([name]) => name === 'ready')"))
    )
      throw new Error("the ad is not ready");
    return frame;
  }, AWAITED);
}
/** The events of the ad since the last look, with their arguments. */
const heard = (ad: Frame) => ad.evaluate<[string, ...unknown[]][]>("window.log.splice(0)");
const named = (events: readonly [string, ...unknown[]][], name: string) => events.filter(([each]) => each === name);
/** Waits until the ad has heard an event, and returns all that it has heard meanwhile. */
async function hears(ad: Frame, name: string): Promise<[string, ...unknown[]][]> {
  const all: [string, ...unknown[]][] = [];
  await vi.waitFor(async () => {
    all.push(...(await heard(ad)));
    expect(named(all, name)).not.toEqual([]);
  }, AWAITED);
  return all;
}
const call = <T>(ad: Frame, expression: string) => ad.evaluate<T>(`mraid.${expression}`);
const press = async (ad: Frame, id: string) => (await ad.waitForSelector(`#${id}`)).click();

async function openBanner(): Promise<Frame> {
  server.pageScript = `document.querySelector("#place").style.margin = "100px 12px 2000px"; ${bannerScript(server)}`;
  await page.goto(server.pageOrigin);
  return readyAd();
}

test("an ad in the page knows its place, hears how it is exposed, and is refused what a page cannot do", async () => {
  const ad = await openBanner();
  const first = await vi.waitFor(async () => {
    const events = await ad.evaluate<[string, ...unknown[]][]>("window.log");
    expect(named(events, "exposureChange")).toHaveLength(1);
    return events;
  }, AWAITED);
  expect(first[0]).toEqual(["state", "loading"]);
  expect(first.slice(1, 4)).toEqual([["stateChange", "default"], ["ready"], ["audioVolumeChange", null]]);
  expect(named(first, "exposureChange")).toEqual([
    ["exposureChange", 100, { x: 0, y: 0, width: 320, height: 50 }, null],
  ]);
  expect(named(first, "viewableChange")).toEqual([["viewableChange", true]]);
  await heard(ad);
  const home = { x: 20, y: expect.any(Number), width: 320, height: 50 };
  const screen = { width: 360, height: 640 };
  for (const [expression, value] of [
    ["getVersion()", "3.0"],
    ["getState()", "default"],
    ["isViewable()", true],
    ["getPlacementType()", "inline"],
    ["getCurrentPosition()", home],
    ["getDefaultPosition()", home],
    ["getMaxSize()", screen],
    ["getScreenSize()", screen],
    ["getLocation()", -1],
    ["getCurrentAppOrientation()", { orientation: "portrait", locked: false }],
    ["getOrientationProperties()", { allowOrientationChange: true, forceOrientation: "none" }],
    ["setOrientationProperties({ forceOrientation: 'portrait' })", undefined],
    ["getOrientationProperties()", { allowOrientationChange: true, forceOrientation: "portrait" }],
    ["getExpandProperties()", { ...screen, useCustomClose: false, isModal: true }],
    ["getResizeProperties()", undefined],
  ] as const)
    expect([expression, await call(ad, expression)]).toEqual([expression, value]);
  const features = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "vpaid", "location"];
  const able = await ad.evaluate(
    (all: string[]) =>
      all.filter((each) =>
        (globalThis as never as { mraid: { supports(name: string): boolean } }).mraid.supports(each),
      ),
    features,
  );
  expect(able).toEqual(["inlineVideo"]);
  expect(await ad.evaluate("MRAID_ENV")).toMatchObject({ version: "3.0", sdk: "Millrace" });

  for (const [refused, action] of [
    ["addEventListener('nothing', function () {})", "addEventListener"],
    ["removeEventListener('ready', function () {})", "removeEventListener"],
    ["setOrientationProperties({ forceOrientation: 'up' })", "setOrientationProperties"],
    ["resize()", "resize"],
    ["storePicture('https://shop.example/a.png')", "storePicture"],
    ["createCalendarEvent({})", "createCalendarEvent"],
    ["expand('https://shop.example/two.html')", "expand"],
    ["open('http://')", "open"],
  ] as const) {
    await call(ad, refused);
    const [error] = named(await hears(ad, "error"), "error");
    expect([refused, error?.[2]]).toEqual([refused, action]);
  }
  await page.evaluate(() => window.scrollTo(0, 1500));
  const away = await hears(ad, "viewableChange");
  expect(named(away, "exposureChange").at(-1)).toEqual(["exposureChange", 0, null, null]);
  expect(await call(ad, "isViewable()")).toBe(false);
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(named(await hears(ad, "viewableChange"), "viewableChange")).toEqual([["viewableChange", true]]);
});

test("an ad is resized and expanded after a press on it, always with our close button, and opens its page", async () => {
  const ad = await openBanner();
  await call(ad, "setResizeProperties({ width: 400, height: 250, offsetX: 0, offsetY: 0, allowOffscreen: false })");
  await heard(ad);
  await press(ad, "resize");
  expect(named(await hears(ad, "error"), "error")).toEqual([["error", "The size is larger than the screen", "resize"]]);
  await call(ad, "setResizeProperties({ width: 300, height: 250, offsetX: 100, offsetY: -20, allowOffscreen: false })");
  await call(ad, "useCustomClose(true)");
  await press(ad, "resize");
  const resized = await hears(ad, "sizeChange");
  expect(resized.filter(([name]) => name === "stateChange" || name === "sizeChange")).toEqual([
    ["stateChange", "resized"],
    ["sizeChange", 300, 250],
  ]);
  // Pushed onto the screen.
  expect(await call(ad, "getCurrentPosition()")).toMatchObject({ x: 60, width: 300, height: 250 });
  expect(await call(ad, "getDefaultPosition()")).toMatchObject({ x: 20, width: 320, height: 50 });

  await press(ad, "expand");
  expect(named(await hears(ad, "sizeChange"), "sizeChange")).toEqual([["sizeChange", 360, 640]]);
  expect(await call(ad, "getState()")).toBe("expanded");
  const close = page.getByRole("button", { name: "Close ad" });
  expect(await close.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(named(await hears(ad, "sizeChange"), "sizeChange")).toEqual([["sizeChange", 320, 50]]);
  expect([await call(ad, "getState()"), await close.count()]).toEqual(["default", 0]);

  await press(ad, "expand");
  await hears(ad, "sizeChange");
  await close.click();
  expect(named(await hears(ad, "stateChange"), "stateChange")).toEqual([["stateChange", "default"]]);
  const opening = context.waitForEvent("page");
  await press(ad, "open");
  expect(new URL((await opening).url()).pathname).toBe("/landing");
  await vi.waitFor(() => expect(server.received).toContain("click 0"), AWAITED);
  await ad.evaluate("mraid.removeEventListener('stateChange')");
  await page.bringToFront();
  await heard(ad);
  await press(ad, "expand");
  expect(named(await hears(ad, "sizeChange"), "stateChange")).toEqual([]);
  expect(server.received.filter((each) => each === "impression 0")).toHaveLength(1);
});

test("an ad tells its place that the user has made it larger, and that it is back or gone", async () => {
  await startSdk(page, server);
  await page.evaluate(async () => {
    const into = document.querySelector<HTMLElement>("#place") ?? document.body;
    const onEngaged = (isEngaged: boolean) => void (document.title += ` ${isEngaged}`);
    document.title = "";
    // Banners tell their own place, which the SDK refreshes.
    await window.Millrace.loadAd({ zone: "home", format: "interstitial", size: "320x50" });
    await window.Millrace.showAd("home", { into, onEngaged });
  });
  const ad = await readyAd();
  await press(ad, "expand");
  await vi.waitFor(async () => expect(await page.title()).toBe("true"), AWAITED);
  await page.getByRole("button", { name: "Close ad" }).click();
  await vi.waitFor(async () => expect(await page.title()).toBe("true false"), AWAITED);
  await press(ad, "expand");
  await vi.waitFor(async () => expect(await page.title()).toBe("true false true"), AWAITED);
  await page.evaluate(() => window.Millrace.destroyAd("home"));
  expect(await page.title()).toBe("true false true false");
});

test("an ad can neither expand nor resize nor open a page before it is pressed", async () => {
  server.markups = [
    `<script src="mraid.js"></script><script>
    mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: 0 });
    mraid.addEventListener("error", function (message, action) { fetch("${server.endpoint}/track/" + action) });
    mraid.addEventListener("ready", function () { mraid.open("${server.endpoint}/landing"); mraid.expand(); mraid.resize() });
    </script>`,
  ];
  server.pageScript = bannerScript(server);
  await page.goto(server.pageOrigin);
  await vi.waitFor(() => expect(server.tracked.toSorted()).toEqual(["expand", "resize"]), AWAITED);
  expect(context.pages()).toHaveLength(1);
  expect(server.paths).not.toContain("/landing");
  expect(await page.getByRole("button", { name: "Close ad" }).count()).toBe(0);
});

test.each(["close", "unload"])("an ad in the page that calls %s is gone", async (name) => {
  const ad = await openBanner();
  if (name === "close") await press(ad, "close");
  else await call(ad, "unload()");
  await vi.waitFor(async () => expect(await page.locator("#place").locator("iframe").count()).toBe(0), AWAITED);
});

test("an interstitial has the screen, can neither expand nor resize, and closes itself", async () => {
  await startSdk(page, server);
  await loadAndShow(page, "interstitial", 5);
  const ad = await readyAd();
  expect(await call(ad, "getPlacementType()")).toBe("interstitial");
  expect(await call(ad, "getCurrentPosition()")).toEqual({ x: 0, y: 0, width: 360, height: 640 });
  await heard(ad);
  await press(ad, "expand");
  await press(ad, "resize");
  expect(named(await hears(ad, "error"), "error")).toEqual([["error", expect.any(String), "resize"]]);
  expect(await call(ad, "getState()")).toBe("default");
  await press(ad, "close");
  await vi.waitFor(async () => expect(await eventsOf(page, "hidden")).toHaveLength(1), AWAITED);
  expect(await page.getByRole("dialog").count()).toBe(0);
});
