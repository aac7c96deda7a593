import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readNative } from "./native-assets.ts";

const answer = {
  ver: "1.2",
  assets: [
    { id: 1, title: { text: " Tide " } },
    { id: 3, img: { url: "https://cdn.test/main.png" } },
    { id: 2, img: { url: "javascript:alert(1)" } },
  ],
  link: { url: "https://shop.test/", clicktrackers: ["https://a.test/click", "data:text/html,x"] },
  imptrackers: ["https://a.test/old"],
  eventtrackers: [
    { event: 1, method: 1, url: "https://a.test/new" },
    { event: 2, method: 1, url: "https://a.test/viewable" },
    { event: 1, method: 2, url: "https://a.test/script.js" },
  ],
};

test("the assets, the link and the trackers of an impression are read, and only addresses of the web", () => {
  expect(readNative(JSON.stringify(answer))).toEqual({
    assets: {
      title: "Tide",
      description: null,
      callToAction: "Open",
      sponsor: null,
      icon: null,
      image: "https://cdn.test/main.png",
      privacy: null,
    },
    clickUrl: "https://shop.test/",
    clickTrackers: ["https://a.test/click"],
    impressionTrackers: ["https://a.test/old", "https://a.test/new"],
    impressionScripts: ["https://a.test/script.js"],
  });
});

test("a response inside `native`, as before 1.1, is the same", () => {
  expect(readNative(JSON.stringify({ native: answer }))).toEqual(readNative(JSON.stringify(answer)));
});

test("anything else is no ad, and never throws", () => {
  const bent = fc.record({
    assets: fc.oneof(fc.jsonValue(), fc.constant(answer.assets)),
    link: fc.oneof(fc.jsonValue(), fc.constant(answer.link)),
    eventtrackers: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(bent, fc.jsonValue()), (value) => {
      const ad = readNative(JSON.stringify(value));
      if (ad) expect([typeof ad.assets.title, /^https?:/.test(ad.clickUrl)]).toEqual(["string", true]);
    }),
  );
  expect(readNative("{")).toBeNull();
});
