import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import type { AppConfig } from "../config/snapshot.ts";
import { closedCategories, obeyApp } from "./app-rules.ts";

const request: BidRequest = {
  id: "r",
  imp: [
    { id: "1", banner: { w: 320, h: 50, mimes: ["text/html"] } },
    { id: "2", video: { mimes: ["video/mp4"], playbackmethod: [5] } },
  ],
  app: { id: "a", cat: ["IAB1"] },
  bcat: ["IAB7"],
};

const appWith = (rules: Partial<AppConfig["rules"]>, facts: Partial<AppConfig["facts"]> = {}) =>
  ({
    rules: { isGame: false, isAdult: false, onlyImages: false, isMuted: false, ...rules },
    facts: { blockedCategories: [], blockedAdvertisers: [], childDirected: false, ...facts },
  }) as unknown as AppConfig;

test("an app without wishes changes nothing of a request", () => {
  expect(obeyApp(request, appWith({}))).toEqual(request);
});

test("blocks of the owner stand beside those of the request, each once", () => {
  const app = appWith({}, { blockedCategories: ["IAB7", "IAB8-5"], blockedAdvertisers: ["bad.example"] });
  expect(obeyApp(request, app)).toMatchObject({ bcat: ["IAB7", "IAB8-5"], badv: ["bad.example"] });
});

test("an app for children says so, whatever the request says", () => {
  const told = obeyApp({ ...request, regs: { coppa: 0, gdpr: 1 } }, appWith({}, { childDirected: true }));
  expect(told.regs).toEqual({ coppa: 1, gdpr: 1 });
});

test("games and apps for adults are told as such", () => {
  expect(obeyApp(request, appWith({ isGame: true })).app?.cat).toEqual(["IAB1", "IAB9-30"]);
  expect(obeyApp(request, appWith({ isAdult: true })).app?.cat).toEqual(["IAB1", "IAB25-3"]);
});

test("pictures only and no sound are asked for", () => {
  const [banner, video] = obeyApp(request, appWith({ onlyImages: true, isMuted: true })).imp;
  expect(banner?.banner).toMatchObject({
    mimes: ["image/jpeg", "image/png", "image/gif", "image/webp"],
    btype: [3, 4],
  });
  expect(video?.video?.playbackmethod).toEqual([6]);
});

test("alcohol, tobacco and dating are closed to children, adult content to all but adults", () => {
  const closed = (flags: { kids?: boolean; adult?: boolean }) =>
    closedCategories({ blocked_categories: ["IAB1"], kids: false, adult: false, ...flags });
  expect(closed({})).toEqual(["IAB1", "IAB25-3", "IAB26"]);
  expect(closed({ adult: true })).toEqual(["IAB1"]);
  expect(closed({ kids: true })).toEqual(expect.arrayContaining(["IAB1", "IAB8-5", "IAB9-9", "IAB14-1", "IAB25"]));
});
