import type { Offer } from "@millrace/auction";
import { expect, test } from "vitest";
import { chooserOf, some } from "./testing/some-chooser.ts";
import type { LiveCampaign } from "./live-campaigns.ts";

/** A campaign with one video for each of the lengths. */
function someVideos(id: number, bidMicros: number, ...seconds: number[]): LiveCampaign {
  const creatives = some(id, 0).creatives.flatMap((creative) =>
    seconds.map((length) => ({ ...creative, id: length, video: { ...VIDEO, durationMs: length * 1000 } })),
  );
  return some(id, bidMicros, { creatives, targeting: { format: "video" } });
}
const VIDEO = {
  creativeId: "v",
  title: "Tide",
  advertiser: "shop.example",
  url: "https://ads.example.com/files/a.mp4",
  type: "video/mp4",
  size: 1000,
  width: 320,
  height: 180,
  bitrateKbps: 75,
  clickUrl: "https://shop.example/",
  skipAfter: 0,
};
/** A full screen with a floor of 2 dollars, but 1 for short videos and 4 for long ones. */
const BY_LENGTH: Offer = {
  imp: {
    id: "1",
    instl: 1,
    banner: { format: [{ w: 360, h: 800 }] },
    bidfloor: 2,
    video: {
      mimes: ["video/mp4"],
      durfloors: [
        { maxdur: 15, bidfloor: 1 },
        { mindur: 30, bidfloor: 4 },
      ],
    },
  },
  format: "interstitial",
  floorMicros: 2_000_000,
  ownFloorMicros: 0,
};

test("a video takes part from the floor for its length on, be it lower or higher than the imp's", () => {
  const campaigns = [
    someVideos(1, 1_000_000, 15),
    someVideos(2, 999_999, 15),
    someVideos(3, 1_500_000, 20),
    someVideos(4, 2_000_000, 20),
    someVideos(5, 4_000_000, 30),
    some(6, 1_500_000, { targeting: { format: "image" } }),
    // None of these takes a place.
    ...[11, 12, 13, 14, 15].map((id) => someVideos(id, 3_999_999, 30)),
  ];
  const { choose, asked } = chooserOf(campaigns);
  expect(choose({ offers: [BY_LENGTH] })).toEqual({ ads: [5, 4, 1], missed: [] });
  expect(asked).toEqual([5, 4, 1]);
});

test("of a campaign's videos, those are shown that its price is enough for, which pacing may have lowered", () => {
  const { adsOf, choose } = chooserOf([someVideos(1, 5_000_000, 30, 10)], {
    1: { bidMicros: 3_000_000, share: 1, tries: 0 },
  });
  for (let nth = 0; nth < 10; nth++)
    expect(adsOf({ offers: [BY_LENGTH] }).map(({ creative }) => creative.id)).toEqual([10]);
  const inEuros = { ...BY_LENGTH, imp: { ...BY_LENGTH.imp, bidfloorcur: "EUR" } };
  expect(choose({ offers: [inEuros], ratesToUsd: { EUR: 3 } }).ads).toEqual([1]);
  expect(choose({ offers: [inEuros], ratesToUsd: { EUR: 3.5 } }).ads).toEqual([]);
});
