// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { downloadBudget } from "../core/download-budget.ts";
import { ad } from "../testing/protocol-replies.ts";
import { vastAd } from "./vast-ad.ts";

const VIDEO = `<VAST version="4.2"><Ad><InLine><AdSystem>x</AdSystem><Creatives><Creative><Linear><Duration>00:00:15</Duration>
<MediaFiles><MediaFile type="video/mp4" delivery="progressive" width="640" height="360">https://cdn.test/a.mp4</MediaFile></MediaFiles>
</Linear></Creative></Creatives></InLine></Ad></VAST>`;

const fetched: string[] = [];
/** The documents and trackers of others. */
const documents = new Map<string, string>();
beforeEach(() => {
  fetched.length = 0;
  documents.clear();
  vi.stubGlobal("fetch", async (url: string) => {
    fetched.push(url);
    return new Response(documents.get(url.replace(/\?.*/, "")) ?? "", { status: 200 });
  });
  const media = HTMLMediaElement.prototype;
  vi.spyOn(media, "canPlayType").mockReturnValue("probably");
  vi.spyOn(media, "load").mockImplementation(() => {});
  vi.spyOn(media, "pause").mockImplementation(() => {});
  vi.spyOn(media, "play").mockImplementation(async function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("playing"));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const prepare = (content: string) =>
  vastAd(ad("https://ads.test", "alpha", { markup: { type: "vast", content } }), {
    format: "video",
    budget: downloadBudget(undefined),
  });

test("a video plays on a page without TLS, where `crypto` makes no UUIDs", async () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const prepared = await prepare(VIDEO);
  const on = { clicked() {}, rewarded() {}, hidden() {} };
  expect(await prepared?.show({ into: document.createElement("div") }, on)).toBe(true);
  prepared?.destroy();
});

test("the macros in the address of a wrapped document are filled", async () => {
  documents.set("https://seller.test/vast", VIDEO);
  const prepared = await prepare(
    `<VAST version="3.0"><Ad><Wrapper><VASTAdTagURI>https://seller.test/vast?cb=[CACHEBUSTING]&amp;at=[TIMESTAMP]&amp;no=[UNKNOWN]</VASTAdTagURI></Wrapper></Ad></VAST>`,
  );
  expect(fetched).toEqual([expect.stringMatching(/^https:\/\/seller\.test\/vast\?cb=\d{8}&at=\d{4}-[^&[]+&no=-1$/)]);
  prepared?.destroy();
});
