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
    { reason: "The partner is switched off", code: "partner_off", names: ["Lab off", "Lab out"] },
    { reason: "The partner does not buy this media type", code: "media_type_unsupported", names: ["Lab audio"] },
  ]);
});

test("each partner has the code of what decided: its bid's reason, or else how its call ended", () => {
  const codes = askedFor(someAuction(), "1").map(({ provider, code }) => [provider, code]);
  expect(Object.fromEntries(codes)).toMatchObject({ careless: "wrong_size", tardy: "timeout", steady: "no_bid" });
});
