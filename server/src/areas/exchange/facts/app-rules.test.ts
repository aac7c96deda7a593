import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { applyAppRules, closedCategories, ownCategories, type RuledApp } from "./app-rules.ts";

const request: BidRequest = {
  id: "r",
  imp: [
    { id: "1", banner: { w: 320, h: 50, mimes: ["text/html"] } },
    { id: "2", video: { mimes: ["video/mp4"], playbackmethod: [5] } },
  ],
  app: { id: "a", cat: ["IAB1"] },
  bcat: ["IAB7"],
};

const appWith = (rules: Partial<RuledApp["rules"]>, facts: Partial<RuledApp["facts"]> = {}): RuledApp => ({
  rules: { categories: [], onlyImages: false, isMuted: false, ...rules },
  facts: { blockedCategories: [], blockedAdvertisers: [], childDirected: false, ...facts },
});

test("an app without rules leaves a request unchanged", () => {
  expect(applyAppRules(request, appWith({}))).toEqual(request);
});

test("the owner's blocks are added to the request's, without duplicates", () => {
  const app = appWith({}, { blockedCategories: ["IAB7", "IAB8-5"], blockedAdvertisers: ["bad.example"] });
  expect(applyAppRules(request, app)).toMatchObject({ bcat: ["IAB7", "IAB8-5"], badv: ["bad.example"] });
});

test("an app for children is child-directed, whatever the request says", () => {
  const told = applyAppRules({ ...request, regs: { coppa: 0, gdpr: 1 } }, appWith({}, { childDirected: true }));
  expect(told.regs).toEqual({ coppa: 1, gdpr: 1 });
});

test("games and apps for adults have their categories", () => {
  const told = (is_gaming: boolean, adult: boolean) =>
    applyAppRules(request, appWith({ categories: ownCategories({ is_gaming, adult }) })).app?.cat;
  expect(told(true, false)).toEqual(["IAB1", "IAB9-30"]);
  expect(told(false, true)).toEqual(["IAB1", "IAB25-3"]);
  expect(told(false, false)).toEqual(["IAB1"]);
});

test("no list that buyers get has ids of two taxonomies", () => {
  const app = appWith({}, { blockedCategories: ["IAB25"] });
  const told = (more: Partial<BidRequest>) => {
    const { bcat, acat, cattax } = applyAppRules({ id: "r", imp: [], ...more }, app);
    return { bcat, acat, cattax };
  };
  expect(told({ bcat: ["150"], cattax: 6 })).toEqual({ bcat: ["150"], acat: undefined, cattax: 6 });
  expect(told({ acat: ["150"], cattax: 6 })).toEqual({ bcat: undefined, acat: ["150"], cattax: 6 });
  expect(told({ bcat: ["IAB7"], cattax: 1 })).toMatchObject({ bcat: ["IAB7", "IAB25"], cattax: 1 });
  // Its taxonomy is that of no list.
  expect(told({ bcat: [], cattax: 6 })).toMatchObject({ bcat: ["IAB25"], cattax: 1 });
  expect(told({ bcat: ["IAB7"] })).toEqual({ bcat: ["IAB7", "IAB25"], acat: undefined, cattax: undefined });
});

test("an app that names categories of another taxonomy keeps them, unless buyers must learn that it is for adults", () => {
  const own = { id: "a", name: "Tide", cattax: 7, cat: ["150"], pagecat: ["151"] };
  const told = (is_gaming: boolean, adult: boolean, app: BidRequest["app"] = own) =>
    applyAppRules({ ...request, app }, appWith({ categories: ownCategories({ is_gaming, adult }) })).app;
  expect(told(true, false)).toEqual(own);
  expect(told(false, true)).toEqual({ id: "a", name: "Tide", cat: ["IAB25-3"] });
  expect(told(true, false, { cattax: 7 })).toEqual({ cattax: 1, cat: ["IAB9-30"] });
  expect(told(true, false, { cattax: 1, cat: ["IAB1"] })).toEqual({ cattax: 1, cat: ["IAB1", "IAB9-30"] });
});

test("images only means no scripts in banners, and no video or audio", () => {
  const [banner, video] = applyAppRules(request, appWith({ onlyImages: true, isMuted: true })).imp;
  expect(banner?.banner).toMatchObject({
    mimes: ["image/jpeg", "image/png", "image/gif", "image/webp"],
    btype: [3, 4],
  });
  expect(video).toEqual({ id: "2" });
});

test("a muted app requests muted playback", () => {
  const [banner, video] = applyAppRules(request, appWith({ isMuted: true })).imp;
  expect(banner).toEqual(request.imp[0]);
  expect(video?.video).toEqual({ mimes: ["video/mp4"], playbackmethod: [6] });
});

test("an app's lists are passed on unchanged if the request has none", () => {
  const app = appWith({}, { blockedCategories: ["IAB7"], blockedAdvertisers: ["bad.example"] });
  const told = applyAppRules({ id: "r", imp: [] }, app);
  expect(told.bcat).toBe(app.facts.blockedCategories);
  expect(told.badv).toBe(app.facts.blockedAdvertisers);
});

test("alcohol, tobacco and dating are blocked for children, and adult content for all but adults", () => {
  const closed = (flags: { kids?: boolean; adult?: boolean }) =>
    closedCategories({ blocked_categories: ["IAB1"], kids: false, adult: false, ...flags });
  expect(closed({})).toEqual(["IAB1", "IAB25-3", "IAB26"]);
  expect(closed({ adult: true })).toEqual(["IAB1"]);
  expect(closed({ kids: true })).toEqual(expect.arrayContaining(["IAB1", "IAB8-5", "IAB9-9", "IAB14-1", "IAB25"]));
});
