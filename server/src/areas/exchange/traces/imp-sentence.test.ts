import type { PartnerResult } from "@millrace/contract";
import { expect, test } from "vitest";
import { type ImpStory, impDetail, impSentence } from "./imp-sentence.ts";

const withResults = (...results: PartnerResult[]): ImpStory => ({
  format: "banner",
  isTest: false,
  floorMicros: null,
  noAd: "no_partner_ready",
  served: null,
  next: undefined,
  shown: null,
  notCounted: null,
  results: results.map((result, nth) => ({ result, name: `Partner ${nth}`, priceMicros: null, kind: "bidding" })),
});

test("when nobody was asked, the detail says how many partners there were", () => {
  expect(impDetail(withResults())).toBe("The app had no partners to ask.");
  expect(impDetail(withResults("not_asked"))).toBe("The only partner could not be asked.");
  expect(impDetail(withResults("not_asked", "not_asked"))).toBe("None of 2 partners could be asked.");
});

test("a bid that reached the floor and was refused does not make the sentence about the floor untrue", () => {
  const story = { ...withResults("under_floor", "refused"), noAd: "no_bid_above_floor" } as const;
  expect(impSentence(story)).toBe("This banner request got no ad: no valid bid reached its floor.");
});
