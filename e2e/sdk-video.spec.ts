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
  // Four seconds long.
  server.files.set("/video.mp4", { type: "video/mp4", body: await someVideo("h264.mp4") });
  context = await sdk.browser.newContext({ viewport: { width: 360, height: 640 } });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const EVENTS = ["loaded", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip"];
const url = (path: string) => `<![CDATA[${server.endpoint}/${path}]]>`;
const trackings = (of: string) =>
  EVENTS.map((event) => `<Tracking event="${event}">${url(`track/${of}-${event}`)}</Tracking>`).join("");
const document = (ad: string) => `<?xml version="1.0"?><VAST version="4.2"><Ad id="1">${ad}</Ad></VAST>`;

interface Parts {
  linear?: string;
  more?: string;
  creatives?: string;
  file?: string;
  type?: string;
}

const inline = ({ linear = "", more = "", creatives = "", file = "video.mp4", type = "video/mp4" }: Parts = {}) =>
  document(`<InLine><AdSystem>Test</AdSystem><AdTitle>Tide</AdTitle>
  <Impression>${url("track/inline-impression")}</Impression>
  <Impression><![CDATA[${server.endpoint}/beacon/impression?t=0]]></Impression>
  <Error>${url("track/inline-error-[ERRORCODE]")}</Error>${more}
  <Creatives><Creative><Linear ${linear}><Duration>00:00:04</Duration>
  <TrackingEvents>${trackings("inline")}<Tracking event="progress" offset="00:00:01">${url("track/inline-progress")}</Tracking></TrackingEvents>
  <VideoClicks><ClickThrough>${url("landing")}</ClickThrough><ClickTracking>${url("track/inline-click")}</ClickTracking></VideoClicks>
  <MediaFiles><MediaFile delivery="progressive" type="${type}" width="320" height="180">${url(file)}</MediaFile></MediaFiles>
  </Linear></Creative>${creatives}</Creatives></InLine>`);

/** A wrapper around the document at `to`. */
const wrapper = (nth: number, to: string) =>
  document(`<Wrapper><AdSystem>Wrapper</AdSystem><VASTAdTagURI>${url(to)}</VASTAdTagURI>
  <Impression>${url(`track/w${nth}-impression`)}</Impression><Error>${url(`track/w${nth}-error-[ERRORCODE]`)}</Error>
  <Creatives><Creative><Linear><TrackingEvents>${trackings(`w${nth}`)}</TrackingEvents></Linear></Creative></Creatives></Wrapper>`);

/** A chain of wrappers around an inline ad. Returns the outermost. */
function chainOf(wrappers: number): string {
  server.files.set("/inline.xml", { type: "text/xml", body: inline() });
  for (let nth = wrappers; nth > 1; nth -= 1) {
    const next = nth === wrappers ? "inline.xml" : `w${nth + 1}.xml`;
    server.files.set(`/w${nth}.xml`, { type: "text/xml", body: wrapper(nth, next) });
  }
  return wrapper(1, wrappers === 1 ? "inline.xml" : "w2.xml");
}

const outcome = () => page.evaluate(() => window.outcome);
const ended = () => vi.waitFor(async () => expect(await outcome()).not.toBeNull(), AWAITED);
const dialog = () => page.getByRole("dialog", { name: "Advertisement" });

test("through five wrappers, each document's every event is tracked exactly once, and the quartiles in order", async () => {
  server.markups = [chainOf(5)];
  await startSdk(page, server);
  expect(await loadAndShow(page, "video")).toMatchObject({ ok: true });
  await ended();
  const played = EVENTS.filter((event) => event !== "skip");
  const documents = ["w1", "w2", "w3", "w4", "w5", "inline"];
  const wanted = documents.flatMap((of) => [`${of}-impression`, ...played.map((event) => `${of}-${event}`)]);
  await vi.waitFor(() => expect([...server.tracked].sort()).toEqual([...wanted, "inline-progress"].sort()), AWAITED);
  const inOrder = server.tracked.filter((each) => /^inline-(start|\w+Quartile|midpoint|complete)$/.test(each));
  expect(inOrder).toEqual(
    ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map((of) => `inline-${of}`),
  );
  // The SDK's own impression comes from its queue alone.
  await vi.waitFor(() => expect(server.received.filter((taken) => taken === "impression 0")).toHaveLength(1), AWAITED);
  expect(await eventsOf(page, "displayed", "revenuePaid", "hidden", "rewardReceived")).toMatchObject([
    { type: "displayed" },
    { type: "revenuePaid" },
    { type: "hidden" },
  ]);
});

test("a sixth wrapper, broken documents and files that cannot be played are reported with their code, and passed over", async () => {
  const empty = `<VAST version="4.2"><Error>${url("track/empty-[ERRORCODE]")}</Error></VAST>`;
  server.files.set("/broken.mp4", { type: "video/mp4", body: "no video" });
  server.markups = [
    chainOf(6),
    "<VAST version='4.2'><Ad>",
    empty,
    wrapper(7, "nowhere.xml"),
    inline({ type: "video/x-unknown" }),
    inline({ file: "broken.mp4" }),
    inline(),
  ];
  await startSdk(page, server);
  expect(await loadAndShow(page, "video")).toMatchObject({ ok: true });
  await vi.waitFor(
    async () => expect(await eventsOf(page, "displayed")).toMatchObject([{ network: "partner-6" }]),
    AWAITED,
  );
  const errors = () => server.tracked.filter((each) => /error|empty/.test(each)).sort();
  const chain = ["w1", "w2", "w3", "w4", "w5", "w6"].map((of) => `${of}-error-302`);
  const wanted = [...chain, "empty-303", "inline-error-401", "inline-error-403", "w7-error-301"];
  await vi.waitFor(() => expect(errors()).toEqual(wanted.sort()), AWAITED);
  await vi.waitFor(() => expect(server.received.filter((taken) => taken.startsWith("loss"))).toHaveLength(6), AWAITED);
});

test("a video is skipped after its own offset, and not before", async () => {
  server.markups = [inline({ linear: 'skipoffset="00:00:02"' })];
  await startSdk(page, server);
  await loadAndShow(page, "video", 0);
  await dialog().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await outcome()).toBeNull();
  await page.getByRole("button", { name: "Skip ad", exact: true }).click();
  await ended();
  await vi.waitFor(() => expect(server.tracked).toContain("inline-skip"), AWAITED);
  expect(server.tracked).toContain("inline-progress");
  expect(server.tracked).not.toContain("inline-complete");
});

test.each([0, 1])("without an offset of its own, a video is skipped after the app's %i seconds", async (seconds) => {
  server.markups = [inline()];
  await startSdk(page, server);
  await loadAndShow(page, "video", seconds);
  const skip = page.getByRole("button", { name: "Skip ad", exact: true });
  await skip.click();
  await ended();
  await vi.waitFor(() => expect(server.tracked.filter((each) => each === "inline-skip")).toHaveLength(1), AWAITED);
});

test("a rewarded video cannot be left before its end, then gives its reward once, and shows its end card", async () => {
  const card = `<Creative><CompanionAds><Companion width="300" height="250">
    <HTMLResource><![CDATA[<a href="${server.endpoint}/landing">Visit</a>]]></HTMLResource>
    <TrackingEvents><Tracking event="creativeView">${url("track/card-view")}</Tracking></TrackingEvents>
    <CompanionClickTracking>${url("track/card-click")}</CompanionClickTracking></Companion></CompanionAds></Creative>`;
  server.markups = [inline({ linear: 'skipoffset="00:00:00"', creatives: card })];
  await startSdk(page, server);
  await loadAndShow(page, "rewarded", 0);
  await dialog().waitFor();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: /^(Skip|Close) ad/ }).count()).toBe(0);
  await vi.waitFor(async () => expect(await eventsOf(page, "rewardReceived")).toHaveLength(1), AWAITED);
  expect(await eventsOf(page, "rewardReceived")).toMatchObject([{ reward: { name: "coins", amount: 5 } }]);
  expect(await outcome()).toBeNull();

  const opening = context.waitForEvent("page");
  await page.frameLocator("dialog iframe").frameLocator("iframe").getByText("Visit").click();
  await (await opening).waitForLoadState();
  await page.getByRole("button", { name: "Close ad", exact: true }).click();
  await ended();
  expect(await outcome()).toMatchObject({ ok: true, rewarded: true });
  const types = (await eventsOf(page, "displayed", "clicked", "rewardReceived", "hidden")).map(({ type }) => type);
  expect(types).toEqual(["displayed", "rewardReceived", "clicked", "hidden"]);
  await vi.waitFor(() => expect(server.tracked).toEqual(expect.arrayContaining(["card-view", "card-click"])), AWAITED);
  expect(server.received.filter((each) => each.startsWith("reward"))).toEqual(["reward 0"]);
});

test("a video that something else has paused plays on to its end", async () => {
  server.markups = [inline()];
  await startSdk(page, server);
  await loadAndShow(page, "rewarded");
  await dialog().waitFor();
  await page.locator("dialog video").evaluate((video: HTMLVideoElement) => video.pause());
  await vi.waitFor(async () => expect(await eventsOf(page, "rewardReceived")).toHaveLength(1), AWAITED);
  await ended();
});

test("a video that stands still can be left, and its reward is not given", async () => {
  server.markups = [inline()];
  await startSdk(page, server);
  await loadAndShow(page, "rewarded");
  await dialog().waitFor();
  await page.locator("dialog video").evaluate((video: HTMLVideoElement) => {
    video.play = () => Promise.reject(new Error("another app has the sound"));
    video.pause();
  });
  await page.getByRole("button", { name: "Close ad", exact: true }).click();
  await ended();
  expect(await outcome()).toMatchObject({ ok: true, rewarded: false });
  await vi.waitFor(() => expect(server.tracked).toContain("inline-error-402"), AWAITED);
});

test("a click on a video opens the advertiser's page, and is tracked and counted", async () => {
  server.markups = [inline()];
  await startSdk(page, server);
  await loadAndShow(page, "video");
  const opening = context.waitForEvent("page");
  await page.getByRole("button", { name: "Open the advertiser's page" }).click();
  const landing = await opening;
  await landing.waitForLoadState();
  expect(await landing.title()).toBe("Landing");
  await vi.waitFor(() => expect(server.tracked).toContain("inline-click"), AWAITED);
  await vi.waitFor(() => expect(server.received).toContain("click 0"), AWAITED);
});

test("sound is switched off and on, and icons appear in their time", async () => {
  const icon = `<Icons><Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top" offset="00:00:01">
    <StaticResource creativeType="image/png">${url("icon.png")}</StaticResource>
    <IconClicks><IconClickThrough>${url("landing")}</IconClickThrough><IconClickTracking>${url("track/icon-click")}</IconClickTracking></IconClicks>
    <IconViewTracking>${url("track/icon-view")}</IconViewTracking></Icon></Icons>
    <TrackingEvents><Tracking event="mute">${url("track/mute")}</Tracking><Tracking event="unmute">${url("track/unmute")}</Tracking></TrackingEvents>`;
  server.markups = [inline().replace("<Duration>", `${icon}<Duration>`)];
  await startSdk(page, server);
  await loadAndShow(page, "video");
  await page.getByRole("button", { name: "Mute the ad" }).click();
  await page.getByRole("button", { name: "Unmute the ad" }).click();
  await vi.waitFor(() => expect(server.tracked).toContain("icon-view"), AWAITED);
  await ended();
  expect(server.tracked.filter((each) => /mute|icon/.test(each))).toEqual(["mute", "unmute", "icon-view"]);
});

test("an audio ad plays without taking the screen, and is over at its end", async () => {
  const spot = await readFile(new URL("../demo/media/spot.mp3", import.meta.url));
  server.files.set("/spot.mp3", { type: "audio/mpeg", body: spot });
  server.markups = [inline({ file: "spot.mp3", type: "audio/mpeg" })];
  await startSdk(page, server);
  expect(await loadAndShow(page, "audio")).toMatchObject({ ok: true });
  await vi.waitFor(async () => expect(await eventsOf(page, "displayed")).toHaveLength(1), AWAITED);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await ended();
  await vi.waitFor(() => expect(server.tracked).toContain("inline-complete"), AWAITED);
  expect(await eventsOf(page, "hidden")).toHaveLength(1);
});

/** Numbers what it hears, since the browser sends it by several connections. */
const VERIFIER = `
let heard = 10;
const say = (what) => { new Image().src = ORIGIN + "/track/omid-" + heard++ + "-" + what };
omid3p.registerSessionObserver((event) => {
  say(event.type + (event.data && event.data.verificationParameters ? "-" + event.data.verificationParameters : ""));
}, "vendor.test");
for (const type of ["loaded", "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause"])
  omid3p.addEventListener(type, () => say(type));
try { parent.document.title; say("reached the page") } catch {}`;

test("a verification script hears the session in the standard's order, and a missing one is reported", async () => {
  server.files.set("/verify.js", {
    type: "text/javascript",
    body: VERIFIER.replace("ORIGIN", JSON.stringify(server.endpoint)),
  });
  const verification = (vendor: string, script: string) => `<Verification vendor="${vendor}">
    <JavaScriptResource apiFramework="omid" browserOptional="true">${url(script)}</JavaScriptResource>
    <TrackingEvents><Tracking event="verificationNotExecuted">${url(`track/${vendor}-not-[REASON]`)}</Tracking></TrackingEvents>
    <VerificationParameters><![CDATA[key7]]></VerificationParameters></Verification>`;
  const more = `<AdVerifications>${verification("vendor.test", "verify.js")}${verification("gone.test", "gone.js")}</AdVerifications>`;
  server.markups = [inline({ more })];
  await startSdk(page, server);
  await loadAndShow(page, "video");
  await ended();
  const heard = () => server.tracked.filter((each) => each.startsWith("omid-")).toSorted();
  const order = [
    "sessionStart-key7",
    "loaded",
    "impression",
    "start",
    "firstQuartile",
    "midpoint",
    "thirdQuartile",
    "complete",
    "sessionFinish",
  ].map((type, nth) => `omid-${10 + nth}-${type}`);
  await vi.waitFor(() => expect(heard()).toEqual(order), AWAITED);
  expect(server.tracked).toContain("gone.test-not-3");
});
