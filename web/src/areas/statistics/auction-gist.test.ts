import { expect, test } from "vitest";
import { byDecision, gistOf } from "./auction-gist.ts";

type Auction = Parameters<typeof gistOf>[0];
type Participant = Auction["participants"][number];

const who = (provider: string, latencyMs: number | null, price: number | null): Participant => ({
  provider,
  name: provider,
  outcome: { code: "x", text: "x" },
  latency_ms: latencyMs,
  privacy: [],
  refusals: [],
  bids:
    price === null ? [] : [{ imp: "1", bid: "b", status: "lost", reason: null, field: null, price, min_to_win: null }],
});

const auction: Auction = {
  auction: "00000000-0000-4000-8000-000000000001",
  app: { uuid: "00000000-0000-4000-8000-000000000001", name: "Tide Puzzle" },
  at: "2026-11-20T05:00:00.000Z",
  seed: "1",
  config_version: "1",
  deadline_ms: 100,
  country: "US",
  test: false,
  no_ad: null,
  imps: [
    {
      imp: "1",
      format: "banner",
      floor: 1_000_000,
      no_ad: null,
      order: [
        { position: 1, provider: "first", name: "First", price: 3_000_000, media_type: "banner" },
        { position: 2, provider: "second", name: "Second", price: 2_000_000, media_type: "banner" },
      ],
    },
  ],
  participants: [
    who("refused", null, null),
    who("silent", 90, null),
    who("low", 10, 500_000),
    who("second", 20, 2_000_000),
    who("first", 50, 3_000_000),
  ],
  player_events: [],
  replays: true,
};

test("the winner is first, then bids by price, then silent participants, then those that were not asked", () => {
  expect(byDecision(auction).map(({ provider }) => provider)).toEqual(["first", "second", "low", "silent", "refused"]);
});

test("the winner's summary names the runner-up", () => {
  expect(gistOf(auction, "first")).toBe(
    "4 partners were asked, 3 bid. First won with $3.00 CPM, ahead of Second with $2.00.",
  );
});

test("a later ad was shown because the ads before it were not", () => {
  expect(gistOf(auction, "second")).toBe(
    "4 partners were asked, 3 bid. Second was second with $2.00 CPM; the ads before it did not show.",
  );
});

test("an auction without an ad says why", () => {
  const none = { ...auction, imps: [], no_ad: { code: "no_demand", text: "Partners had no demand" } };
  expect(gistOf(none, "first")).toBe("4 partners were asked, 3 bid. Partners had no demand.");
});
