import { expect, test } from "vitest";
import { targetingOf } from "./targeting.ts";

const bid = {
  bidder: "one",
  impId: "1",
  mediaType: "video",
  priceMicros: 1_370_000,
  w: 320,
  h: 50,
  dealId: undefined,
  cachedVast: undefined,
  cachedBid: undefined,
  isApp: false,
} as const;
const bucket = (pricegranularity: unknown) => targetingOf({ pricegranularity }, bid, true)["hb_pb"];

test.each([
  ["low", "1.00"],
  ["medium", "1.30"],
  ["high", "1.37"],
  ["auto", "1.35"],
  ["dense", "1.37"],
  [{ precision: 1, ranges: [{ max: 5, increment: 0.5 }] }, "1.0"],
])("the price granularity %j rounds $1.37 down to %s", (granularity, price) => {
  expect(bucket(granularity)).toBe(price);
});

test("a media type can have a granularity of its own", () => {
  const bucketOf = (mediatypepricegranularity: unknown) =>
    targetingOf({ pricegranularity: "low", mediatypepricegranularity }, bid, true)["hb_pb"];
  expect(bucketOf({ video: { ranges: [{ max: 20, increment: 0.01 }] } })).toBe("1.37");
  expect(bucketOf({ video: "high", banner: "low" })).toBe("1.37");
  expect(bucketOf({ banner: "high" })).toBe("1.00");
  for (const none of [null, "high", [], {}]) expect(bucketOf(none)).toBe("1.00");
});

test("the format is told if the client asks for it, and an app's bids are known as those of apps", () => {
  expect(targetingOf({ includeformat: true, includebidderkeys: false }, bid, true)).toEqual({
    hb_pb: "1.30",
    hb_bidder: "one",
    hb_size: "320x50",
    hb_format: "video",
  });
  expect(targetingOf({ includeformat: true }, { ...bid, isApp: true }, true)).toMatchObject({
    hb_format_one: "video",
    hb_env: "mobile-app",
    hb_env_one: "mobile-app",
  });
  for (const includeformat of [false, undefined, null, "true"])
    expect(targetingOf({ includeformat }, bid, true)).not.toHaveProperty("hb_format");
});

test("a bid without pixels has no size", () => {
  expect(targetingOf({}, { ...bid, w: 0, h: 0 }, true)).not.toHaveProperty("hb_size");
});

test.each([...Object.getOwnPropertyNames(Object.prototype), "unknown", "", 7, null, [], {}])(
  "the price granularity %j is unknown to Prebid, so the medium one is used",
  (granularity) => {
    expect(bucket(granularity)).toBe("1.30");
  },
);
