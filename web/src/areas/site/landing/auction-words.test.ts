import type { ShownAuction } from "@millrace/contract";
import { expect, test } from "vitest";
import { auctionInWords } from "./auction-words.ts";

const LABELS = { rewarded: "Rewarded video", android: "Android" };
const AUCTION: ShownAuction = {
  at: "2026-11-24T12:00:00.000Z",
  format: "rewarded",
  platform: "android",
  country: "DE",
  bidders: [
    { result: "outbid", after_ms: 12.4, share: 0.931 },
    { result: "won", after_ms: 41, share: 1 },
    { result: "no_bid", after_ms: 50, share: null },
    { result: "timeout", after_ms: 104, share: null },
  ],
};
const wordsOf = (some: Partial<ShownAuction> = {}) => auctionInWords({ ...AUCTION, ...some }, LABELS, 100);

test("an auction says what was sold, who won and what became of the others", () => {
  const { title, sentence, rows } = wordsOf();
  expect(title).toBe("Rewarded video · Android · Germany");
  expect(sentence).toBe("Bidder B won with the highest valid bid, 1 was outbid, 1 did not bid, 1 was too late.");
  expect(rows[0]).toEqual({
    who: "Bidder A",
    result: "outbid",
    word: "Outbid",
    after: "12 ms",
    place: "12%",
    share: "93%",
  });
});

test("an answer after the deadline stands at the end of the axis, and a bidder without a bid has no share", () => {
  expect(wordsOf().rows[3]).toMatchObject({ place: "100%", share: "", after: "104 ms" });
});

test("of more than seven bidders, the winner is among the rows that are shown, and keeps its letter", () => {
  const lost = { result: "outbid", after_ms: 20, share: 0.5 } as const;
  const bidders = [...Array.from({ length: 8 }, () => lost), { result: "won", after_ms: 60, share: 1 } as const];
  const { sentence, rows } = wordsOf({ bidders });
  expect(sentence).toBe("Bidder I won with the highest valid bid, 8 were outbid.");
  expect(rows.map(({ who, word }) => `${who}: ${word}`)).toEqual([
    ...["A", "B", "C", "D", "E", "F"].map((letter) => `Bidder ${letter}: Outbid`),
    "Bidder I: Won",
  ]);
});

test("an auction without a winner says so, and an unknown country is named", () => {
  const { title, sentence } = wordsOf({ country: "XX", bidders: [{ result: "under_floor", after_ms: 9, share: 1 }] });
  expect(title).toContain("Unknown country");
  expect(sentence).toBe("No bidder won, 1 was under the floor.");
});
