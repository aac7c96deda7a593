// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import type { ShowOutcome } from "@millrace/sdk";
import { MillraceWeb, type WebSdk } from "./millrace-web.ts";

afterEach(() => document.body.replaceChildren());

/** The web SDK, as it answers. What it does is tested in its own package, and with this plugin in a browser. */
function setUp() {
  const calls: unknown[][] = [];
  const listeners = new Map<string, (about: never) => void>();
  const ad = { ok: true, zone: "home", format: "banner", rewarded: false } as Extract<ShowOutcome, { ok: true }>;
  const sdk: WebSdk = {
    initialize: async (options) => {
      calls.push(["initialize", options]);
      return { ok: true, latestSdkVersion: "1.0.0" };
    },
    loadAd: async (request) => {
      calls.push(["loadAd", request]);
      return ad;
    },
    isAdReady: (zone) => zone === "ready",
    showAd: async (zone, place) => {
      calls.push(["showAd", zone, place]);
      return ad;
    },
    destroyAd: (zone) => void calls.push(["destroyAd", zone]),
    showDebugger: async (token) => {
      calls.push(["showDebugger", token]);
      return { ok: true };
    },
    addListener: (type, listener) => {
      listeners.set(type, listener);
      return () => listeners.delete(type);
    },
  };
  return { plugin: new MillraceWeb(sdk), calls, listeners };
}

const PLACE = "body > div";

test("the platform is Capacitor's, unless the app gives one", async () => {
  const { plugin, calls } = setUp();
  const options = { app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", endpoint: "https://ads.example.com" };
  await plugin.initialize(options);
  await plugin.initialize({ ...options, platform: undefined });
  await plugin.initialize({ ...options, platform: "tizentv" });
  expect(calls).toEqual([
    ["initialize", { platform: "others", ...options }],
    ["initialize", { platform: "others", ...options }],
    ["initialize", { ...options, platform: "tizentv" }],
  ]);
});

test("a banner gets a place over the page, which goes with its zone and at another start", async () => {
  const { plugin, calls } = setUp();
  await plugin.showBanner({ zone: "home" });
  const place = document.querySelector<HTMLElement>(PLACE);
  expect([place?.style.position, place?.style.top]).toEqual(["fixed", ""]);
  expect(calls).toEqual([["showAd", "home", { size: "320x50", into: place }]]);
  await plugin.showBanner({ zone: "home", position: "top", size: "728x90", refresh: 60 });
  expect(document.querySelectorAll(PLACE)).toHaveLength(1);
  expect(calls[1]).toEqual(["showAd", "home", { size: "728x90", refresh: 60, into: place }]);
  await plugin.destroyAd({ zone: "home" });
  expect(calls[2]).toEqual(["destroyAd", "home"]);
  expect(document.querySelector(PLACE)).toBe(null);
  await plugin.showBanner({ zone: "home" });
  await plugin.initialize({ app: "", endpoint: "" });
  expect(document.querySelector(PLACE)).toBe(null);
});

test("a banner goes into an element of the page, and an id that is not there has a code", async () => {
  const { plugin, calls } = setUp();
  document.body.innerHTML = `<main id="slot"></main>`;
  await plugin.showBanner({ zone: "home", into: "slot" });
  expect(calls).toEqual([["showAd", "home", { size: "320x50", into: document.querySelector("#slot") }]]);
  expect(await plugin.showBanner({ zone: "home", into: "other" })).toMatchObject({ ok: false, code: "options" });
});

test("full-screen ads are loaded, asked for and shown by their zone", async () => {
  const { plugin, calls } = setUp();
  expect(await plugin.loadAd({ zone: "level_end", format: "interstitial" })).toMatchObject({ ok: true });
  expect(await plugin.isAdReady({ zone: "ready" })).toEqual({ ready: true });
  expect(await plugin.isAdReady({ zone: "level_end" })).toEqual({ ready: false });
  expect(await plugin.showAd({ zone: "level_end", skipAfter: 3 })).toMatchObject({ ok: true });
  expect(calls).toEqual([
    ["loadAd", { zone: "level_end", format: "interstitial" }],
    ["showAd", "level_end", { skipAfter: 3 }],
  ]);
});

test("the debugger opens with a token or without", async () => {
  const { plugin, calls } = setUp();
  expect(await plugin.showDebugger({ token: "one" })).toEqual({ ok: true });
  expect(await plugin.showDebugger()).toEqual({ ok: true });
  expect(calls).toEqual([
    ["showDebugger", "one"],
    ["showDebugger", undefined],
  ]);
});

test("a listener is removed by its handle, or with all others", async () => {
  const { plugin, listeners } = setUp();
  const handle = await plugin.addListener("loaded", () => {});
  await plugin.addListener("clicked", () => {});
  expect([...listeners.keys()]).toEqual(["loaded", "clicked"]);
  await handle.remove();
  expect([...listeners.keys()]).toEqual(["clicked"]);
  await plugin.removeAllListeners();
  expect(listeners.size).toBe(0);
});
