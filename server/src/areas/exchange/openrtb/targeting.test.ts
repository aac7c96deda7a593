import { expect, test } from "vitest";
import { targetingOf } from "./targeting.ts";

const bid = {
  provider: "one",
  impId: "1",
  priceMicros: 1_370_000,
  w: 320,
  h: 50,
  dealId: undefined,
  cached: undefined,
};
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

test.each([...Object.getOwnPropertyNames(Object.prototype), "unknown", "", 7, null, [], {}])(
  "the price granularity %j is unknown to Prebid, so the medium one is used",
  (granularity) => {
    expect(bucket(granularity)).toBe("1.30");
  },
);
