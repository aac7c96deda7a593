import type { ShownAuction } from "@millrace/contract";

/** An auction of the demonstration, as `/showcase.json` told it. */
export const RECORDED_AUCTION: ShownAuction = {
  at: "2026-11-24T17:11:06.931Z",
  format: "native",
  platform: "android",
  country: "ES",
  bidders: [
    {
      result: "outbid",
      after_ms: 19.4,
      share: 0.29,
    },
    {
      result: "outbid",
      after_ms: 24,
      share: 0.77,
    },
    {
      result: "won",
      after_ms: 25.3,
      share: 1,
    },
    {
      result: "no_bid",
      after_ms: 33.9,
      share: null,
    },
    {
      result: "no_bid",
      after_ms: 34,
      share: null,
    },
    {
      result: "no_bid",
      after_ms: 42.3,
      share: null,
    },
    {
      result: "no_bid",
      after_ms: 49.7,
      share: null,
    },
  ],
};
