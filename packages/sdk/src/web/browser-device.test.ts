import { afterEach, expect, test, vi } from "vitest";
import { browserDevice } from "./browser-device.ts";

afterEach(() => void vi.unstubAllGlobals());

test("the screen is told in physical pixels, as bidders expect it beside the pixel ratio", () => {
  vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (Linux; Android 15)", language: "fil-PH" });
  vi.stubGlobal("screen", { width: 411.4, height: 914.3 });
  vi.stubGlobal("devicePixelRatio", 2.625);
  const facts = { os: "android", language: "fil-PH", w: 1080, h: 2400, pxratio: 2.625 };
  expect(browserDevice()).toMatchObject(facts);
  expect(browserDevice({ w: 1200, model: "Pixel" })).toMatchObject({ ...facts, w: 1200, model: "Pixel" });
  // An app that passes on what it knows may know nothing.
  expect(browserDevice({ w: undefined, language: undefined, model: "Pixel" })).toMatchObject({
    ...facts,
    model: "Pixel",
  });
});
