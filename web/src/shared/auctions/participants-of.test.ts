import { expect, test } from "vitest";
import { askedFor, notAskedFor } from "./participants-of.ts";
import { someAuction } from "./testing/some-auction.ts";

test("the winner is first, then bids by price, then refused bids, and partners without a bid by how they ended", () => {
  expect(askedFor(someAuction(), "1").map(({ provider }) => provider)).toEqual([
    "games",
    "brand",
    "bargain",
    "careless",
    "steady",
    "tardy",
  ]);
  expect(askedFor(someAuction(), "another imp")).toEqual([]);
});

test("partners that were not asked are counted by their reason, the most frequent first", () => {
  expect(notAskedFor(someAuction(), "1")).toEqual([
    { reason: "The partner is switched off", names: ["Lab off", "Lab out"] },
    { reason: "The partner does not buy this media type", names: ["Lab audio"] },
  ]);
});
