import { expect, test } from "vitest";
import { answerNative, type NativeOffer } from "./answer-native.ts";
import type { NativeAssetRequest, NativeRequest } from "./native.ts";
import { parseNativeResponse } from "./parse-native.ts";
import { missingAssets } from "./read-native.ts";

const OFFER: NativeOffer = {
  title: "Fold, float and find the sea",
  image: { url: "https://ads.example.com/files/a.png", type: "image/png", w: 720, h: 1280 },
  iconUrl: "https://store.example/icon.png",
  callToAction: "Install",
  domain: "shop.example",
  clickUrl: "https://shop.example/",
};
const askedFor = (...assets: Omit<NativeAssetRequest, "id">[]): NativeRequest => ({
  ver: "1.2",
  assets: assets.map((asset, index) => ({ id: index + 1, ...asset })),
});

test("every asset that is known is given under its id, and the answer is valid", () => {
  const request = askedFor(
    { required: 1, title: { len: 90 } },
    { required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
    { img: { type: 1, wmin: 50, hmin: 50 } },
    { data: { type: 12, len: 25 } },
    { data: { type: 1 } },
    { data: { type: 2, len: 90 } },
  );
  const answer = answerNative(request, OFFER);
  expect(answer).toEqual({
    ver: "1.2",
    assets: [
      { id: 1, title: { text: OFFER.title } },
      { id: 2, img: { type: 3, url: OFFER.image.url, w: 720, h: 1280 } },
      { id: 3, img: { type: 1, url: OFFER.iconUrl } },
      { id: 4, data: { type: 12, value: "Install" } },
      { id: 5, data: { type: 1, value: "shop.example" } },
    ],
    link: { url: OFFER.clickUrl },
  });
  expect(parseNativeResponse(JSON.stringify(answer))).toMatchObject({ ok: true });
  expect(answer && missingAssets(request, answer)).toEqual([]);
});

test.each<[string, Omit<NativeAssetRequest, "id">, Partial<NativeOffer>, boolean]>([
  ["an image of its exact size", { img: { type: 3, w: 720, h: 1280 } }, {}, true],
  ["an image of another exact size", { img: { type: 3, w: 1200, h: 627 } }, {}, false],
  ["an image of a wished size and a lower least one", { img: { type: 3, w: 1200, wmin: 600 } }, {}, true],
  ["an image wider than it", { img: { type: 3, wmin: 721 } }, {}, false],
  ["an image of any size and kind", { img: {} }, {}, true],
  ["an image of another type", { img: { type: 3, mimes: ["image/jpeg"] } }, {}, false],
  ["an icon", { img: { type: 1 } }, {}, true],
  ["an icon, where none is known", { img: { type: 1 } }, { iconUrl: null }, false],
  ["an icon of an exact size", { img: { type: 1, w: 80, h: 80 } }, {}, false],
  ["a button's words, where there are none", { data: { type: 12 } }, { callToAction: "" }, false],
  ["a description", { data: { type: 2 } }, {}, false],
  ["a video", { video: { mimes: ["video/mp4"], minduration: 1, maxduration: 30, protocols: [2] } }, {}, false],
])("%s", (_, asset, offer, isGiven) => {
  expect(answerNative(askedFor({ required: 1, ...asset }), { ...OFFER, ...offer }) !== null).toBe(isGiven);
  // One that is not required is left out.
  const optional = answerNative(askedFor({ title: { len: 90 } }, asset), { ...OFFER, ...offer });
  expect(optional?.assets?.length).toBe(isGiven ? 2 : 1);
});

test("a long headline is cut to the place, by characters", () => {
  const cut = (title: string, len: number) =>
    answerNative(askedFor({ title: { len } }), { ...OFFER, title })?.assets?.[0]?.title?.text;
  expect(cut("Fold, float", 11)).toBe("Fold, float");
  expect(cut("Fold, float", 10)).toBe("Fold, flo…");
  expect(cut("⛵⛵⛵", 2)).toBe("⛵…");
});
