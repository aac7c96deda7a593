import { expect, test } from "vitest";
import { JSDOM, type TestWindow } from "../testing/dom.ts";
import { framedHtml } from "./html-markup.ts";
import { asksForMraid } from "./make-ad.ts";
import { trackedNative } from "./native-markup.ts";

const beacons = {
  impression: "https://ads.example.com/beacon/impression?t=k.a-_.b",
  click: "https://ads.example.com/beacon/click?t=k.a-_.c&to=https%3A%2F%2Fx.example%2F&s=1",
  loss: "https://ads.example.com/beacon/loss?t=k.a-_.d",
  player: "https://ads.example.com/beacon/player?t=k.a-_.e",
};
/** Our frame after its script has run, and the ad's frame inside it. */
function framesOf(html: string, prepare: (window: TestWindow) => void = () => undefined) {
  const holder = new JSDOM(html).window.document.querySelector("iframe")?.getAttribute("srcdoc") ?? "";
  const { window } = new JSDOM("", { runScripts: "outside-only" });
  prepare(window);
  window.eval(new JSDOM(holder).window.document.querySelector("script")?.textContent ?? "");
  const ad = window.document.querySelector("iframe");
  return { holder, window, ad: ad?.getAttribute("srcdoc") ?? "", sandbox: ad?.getAttribute("sandbox") };
}

test("hostile HTML stays inside its frame", () => {
  const hostile = [
    `"></iframe><script>parent.stolen=1</script>`,
    `</script><script>top.location="https://evil.example"</script>`,
    `<!--`,
    `<plaintext>`,
    `' onload='alert(1)`,
    `</style></head></html>`,
    "\u2028`${1}\\",
  ];
  for (const adm of hostile) {
    const html = framedHtml(adm, { w: 320, h: 50 }, beacons);
    const { document } = new JSDOM(`<body>${html}</body>`).window;
    expect([...document.body.children].map(({ tagName }) => tagName)).toEqual(["IFRAME", "IMG"]);
    expect(document.querySelector("iframe")?.getAttribute("sandbox")).not.toContain("same-origin");
    expect(document.querySelector("img")?.getAttribute("src")).toBe(beacons.impression);
    const { holder, ad, sandbox } = framesOf(html);
    expect([...new JSDOM(holder).window.document.body.children].map(({ tagName }) => tagName)).toEqual(["SCRIPT"]);
    expect(ad.endsWith(adm)).toBe(true);
    expect(sandbox).not.toContain("same-origin");
  }
});

test("an ad can read no beacon address", () => {
  const { holder, ad } = framesOf(framedHtml("<b>ad</b>", { w: 320, h: 50 }, beacons));
  expect(holder).toContain(beacons.click);
  expect(ad).not.toContain("/beacon/");
});

test("a click on a link is reported once, and other clicks are not", () => {
  const html = framedHtml(
    `<p>no link</p><a href="https://shop.example/"><b>buy</b></a>`,
    { w: null, h: null },
    beacons,
  );
  const { ad } = framesOf(html);
  const { window } = new JSDOM("", { runScripts: "outside-only" });
  const said: unknown[] = [];
  Object.defineProperty(window, "parent", { value: { postMessage: (message: unknown) => said.push(message) } });
  window.eval(new JSDOM(ad).window.document.querySelector("script")?.textContent ?? "");
  window.document.body.innerHTML = new JSDOM(ad).window.document.body.innerHTML;
  window.document.querySelector("p")?.click();
  expect(said).toEqual([]);
  window.document.querySelector("b")?.click();
  expect(said).toEqual([{ millrace: 1, click: 1 }]);

  // Our frame calls the address once, only for the ad's frame, and only after a press on it.
  const called: string[] = [];
  const activation = { isActive: false };
  const held = framesOf(html, (holder) => {
    Object.defineProperty(holder.navigator, "userActivation", { value: activation });
    Object.defineProperty(holder, "fetch", { value: async (url: string) => void called.push(url) });
  });
  const say = (source: unknown, data: unknown = { millrace: 1, click: 1 }) =>
    held.window.dispatchEvent(new held.window.MessageEvent("message", { source, data }));
  const frame = held.window.document.querySelector("iframe")?.contentWindow;
  say(frame);
  activation.isActive = true;
  say(held.window);
  say(frame, { click: 1 });
  say(frame, null);
  expect(called).toEqual([]);
  say(frame);
  say(frame);
  expect(called).toEqual([beacons.click]);
});

const native = {
  ver: "1.2",
  assets: [{ id: 1, title: { text: "Hello" } }],
  link: { url: "https://shop.example/", clicktrackers: ["https://b.example/c"] },
  eventtrackers: [{ event: 1, method: 1, url: "https://b.example/i" }],
};
const nativeImp = {
  id: "1",
  native: { request: JSON.stringify({ ver: "1.2", assets: [{ id: 1, required: 1, title: { len: 30 } }] }) },
};

test("a native response gets our trackers in addition to its own, in the list of its version", () => {
  const made = trackedNative(JSON.stringify(native), nativeImp, beacons, { opensApps: true });
  expect(made?.url).toBe("https://shop.example/");
  expect(JSON.parse(made?.json ?? "")).toEqual({
    ...native,
    link: { ...native.link, clicktrackers: ["https://b.example/c", beacons.click] },
    eventtrackers: [...native.eventtrackers, { event: 1, method: 1, url: beacons.impression }],
  });
  const older = trackedNative(
    JSON.stringify({ native: { ...native, ver: "1.1", eventtrackers: undefined } }),
    nativeImp,
    beacons,
    { opensApps: true },
  );
  expect(JSON.parse(older?.json ?? "")).toMatchObject({ imptrackers: [beacons.impression] });
});

test("a player of an older native version gets our tracker where it looks, whatever the bidder's answer says", () => {
  const asked = { ver: "1.1", assets: [{ id: 1, required: 1, title: { len: 30 } }] };
  const { ver: _, ...unversioned } = native;
  for (const ofImp of [
    { ver: "1.1", request: nativeImp.native.request },
    { request: JSON.stringify(asked) },
    { request: JSON.stringify({ native: { ...asked, ver: "1.0" } }) },
  ]) {
    const made = trackedNative(JSON.stringify(unversioned), { id: "1", native: ofImp }, beacons, { opensApps: true });
    const json = JSON.parse(made?.json ?? "") as typeof native & { imptrackers?: string[] };
    expect(json.imptrackers).toEqual([beacons.impression]);
    // One token in both lists would be sent twice.
    expect(json.eventtrackers).toEqual(native.eventtrackers);
  }
});

test("a native response that cannot be shown is refused", () => {
  expect(trackedNative("no json", nativeImp, beacons, { opensApps: true })).toBeNull();
  expect(trackedNative(JSON.stringify({ ...native, assets: [] }), nativeImp, beacons, { opensApps: true })).toBeNull();
});

const linked = (link: { url: string; fallback?: string }, opensApps: boolean) => {
  const made = trackedNative(JSON.stringify({ ...native, link }), nativeImp, beacons, { opensApps });
  return made && { leadsTo: made.url, link: (JSON.parse(made.json) as typeof native).link.url };
};

test.each(["myapp://product/1", "market://details?id=com.example.shop", "itms-apps://apps.apple.com/app/id1"])(
  "a native ad with the link %s leads to its fallback, and only viewers that open apps get the link",
  (url) => {
    const fallback = "https://adv.example/p";
    expect(linked({ url, fallback }, true)).toEqual({ leadsTo: fallback, link: url });
    expect(linked({ url, fallback }, false)).toEqual({ leadsTo: fallback, link: fallback });
    expect(linked({ url }, true)).toBeNull();
    expect(linked({ url, fallback: "myapp://other" }, true)).toBeNull();
    expect(linked({ url: fallback, fallback: url }, false)).toEqual({ leadsTo: fallback, link: fallback });
  },
);

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<b>ad</b>",
  "data:text/html;base64,YQ==",
  "vbscript:x",
  "file:///etc/passwd",
  "view-source:https://shop.example/",
  "//shop.example/",
  "",
])("a native ad with the link %j is refused, also with a fallback", (url) => {
  expect(linked({ url }, true)).toBeNull();
  expect(linked({ url, fallback: "https://adv.example/p" }, true)).toBeNull();
  expect(linked({ url, fallback: "https://adv.example/p" }, false)).toBeNull();
});

test.each([
  [`<script src="mraid.js"></script><b>ad</b>`, true],
  [`<SCRIPT type=text/javascript SRC = mraid.js ></SCRIPT>`, true],
  [`<script src='https://cdn.example/mraid.js?v=3'></script>`, true],
  [`<script src="https://cdn.example/notmraid.js"></script>`, false],
  [`<script>var text = "mraid.js"</script>`, false],
  [`<p>mraid.js</p><script src="ad.js"></script>`, false],
])("a creative that asks for mraid.js is found, and no other: %s", (html, asks) => {
  expect(asksForMraid(html)).toBe(asks);
});

test.each(["<script src=", "<script ", "<script src=mraid.", "src="])(
  "looking for MRAID in markup that repeats %j takes no time to speak of",
  (part) => {
    const html = `<script ${part.repeat(300_000 / part.length)}`;
    const began = performance.now();
    expect(asksForMraid(html)).toBe(false);
    expect(performance.now() - began).toBeLessThan(1000);
  },
);
