// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MraidNews } from "./bridge.ts";
import { type Container, mraidContainer } from "./container.ts";

let container: Container;
let news: MraidNews[];
let frame: HTMLIFrameElement;

beforeEach(() => {
  class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  // As web views before Chromium 114 and Safari 17, which know no popovers.
  const { matches } = HTMLElement.prototype;
  vi.spyOn(HTMLElement.prototype, "matches").mockImplementation(function (this: HTMLElement, selector: string) {
    if (selector.includes("popover")) throw new DOMException(`'${selector}' is not a valid selector`, "SyntaxError");
    return matches.call(this, selector);
  });
  const on = { open() {}, escape() {}, closed() {}, engaged() {} };
  // By the frame page's address, which is not loaded here: what the ad says is said by the test.
  container = mraidContainer(document.body, "<b>ad</b>", { w: 320, h: 50 }, "inline", on, "about:blank");
  news = [];
  const [element] = container.slot.getElementsByTagName("iframe");
  frame = element ?? expect.fail("no frame");
  vi.spyOn(frame.contentWindow as Window, "postMessage").mockImplementation((message: { mraid?: MraidNews }) => {
    if (message.mraid) news.push(message.mraid);
  });
});
afterEach(() => {
  container.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What the frames of the ad say. */
function say(message: object): void {
  const data = { millrace: 1, ...message };
  window.dispatchEvent(new MessageEvent("message", { source: frame.contentWindow, origin: "null", data }));
}
const press = (call: string) => say({ mraid: { call }, pressed: true });
const told = () => news.flatMap(({ events }) => events);

/** An ad that is shown and has heard so. */
async function shownAd(): Promise<HTMLElement> {
  say({ shown: 1 });
  expect(await container.shown).toBe(true);
  return frame.parentElement ?? expect.fail("no box");
}

test("an expanded ad is closed by its button where the browser knows no popovers", async () => {
  const box = await shownAd();
  press("expand");
  expect(box.style.position).toBe("fixed");
  box.querySelector("button")?.click();
  expect([box.style.position, box.querySelector("button")]).toEqual(["absolute", null]);
  expect(told().at(-1)).toEqual(["stateChange", "default"]);
});

test("an ad that is shown is ready, although one of its addresses never answers", async () => {
  await shownAd();
  expect(told().map(([name]) => name)).toEqual(["stateChange", "ready", "audioVolumeChange"]);
});

test("an ad that expands in a window no taller than its place hears an error", async () => {
  const box = await shownAd();
  vi.spyOn(container.slot, "clientHeight", "get").mockReturnValue(window.innerHeight);
  press("expand");
  expect(told().at(-1)).toEqual(["error", expect.any(String), "expand"]);
  expect(box.style.position).toBe("absolute");
});
