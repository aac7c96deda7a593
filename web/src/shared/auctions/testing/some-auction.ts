import type { Explained, ExplainedImp, Participant } from "../use-auction.ts";

export const AUCTION_ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
export const APP = { uuid: "00000000-0000-4000-8000-000000000001", name: "Tide Puzzle" };

/** A partner's result for imp `1`; a partner without one was asked and did not bid. */
export const somePartner = (
  provider: string,
  { result, ...more }: Partial<Participant> & { result?: Partial<Participant["results"][number]> } = {},
): Participant => ({
  provider,
  name: `Lab ${provider}`,
  outcome: { code: "no_bid", text: "No bid" },
  latency_ms: 30,
  results: [{ imp: "1", result: "no_bid", label: "No bid", text: "", price: null, ...result }],
  calls: [],
  privacy: [],
  refusals: [],
  bids: [],
  ...more,
});

const notAsked = (code: string, text: string) => ({
  latency_ms: null,
  outcome: { code: "refused", text: "Not asked" },
  refusals: [{ imp: null, reason: { code, text } }],
  result: { result: "not_asked", label: "Not asked", text } as const,
});

export const PARTNERS: Participant[] = [
  somePartner("steady"),
  somePartner("tardy", {
    latency_ms: 81,
    outcome: { code: "timeout", text: "Timeout at 100 ms" },
    result: { result: "timeout", label: "Timeout", text: "No answer in 81 ms, when bids closed" },
  }),
  somePartner("bargain", {
    latency_ms: 12,
    result: {
      result: "under_floor",
      label: "Under the floor",
      text: "$0.0095 under the floor of $0.0495",
      price: 40_000,
    },
  }),
  somePartner("games", {
    latency_ms: 41.2,
    result: { result: "won", label: "Won", text: "The highest bid that could be shown", price: 1_670_300 },
    calls: [
      {
        status: { code: "bid", text: "Bid" },
        http_status: 200,
        latency_ms: 41.2,
        sent: null,
        answer: { id: "answer" },
      },
    ],
  }),
  somePartner("brand", { result: { result: "outbid", label: "Outbid", text: "$0.6703 short", price: 1_000_000 } }),
  somePartner("careless", {
    result: { result: "refused", label: "Refused", text: "The size was not offered", price: 9_000_000 },
    bids: [
      {
        imp: "1",
        bid: "1",
        status: "invalid",
        reason: { code: "wrong_size", text: "The size was not offered" },
        field: null,
        price: 9_000_000,
        min_to_win: null,
      },
    ],
  }),
  somePartner("off", notAsked("partner_off", "The partner is switched off")),
  somePartner("out", notAsked("partner_off", "The partner is switched off")),
  somePartner("audio", notAsked("media_type_unsupported", "The partner does not buy this media type")),
];

export const someImp = (more: Partial<ExplainedImp> = {}): ExplainedImp => ({
  imp: "1",
  format: "rewarded",
  zone: "extra_life",
  zone_name: "Extra life",
  sentence: "Lab games won this rewarded video with $1.6703 CPM, 41 ms after it was asked.",
  detail: "6 partners were asked: 4 bid, 1 did not and 1 ran out of time.",
  floor: 49_500,
  floor_by: { source: "publisher", country: "US", format: null, text: "Your floor for United States, all formats" },
  no_ad: null,
  order: [],
  price: {
    provider: "games",
    name: "Lab games",
    fee_ppm: 200_000,
    fee_by: "Your share was 80% at the sale.",
    impression: { cleared: 1670, fee: 334, earned: 1336 },
    thousand: { cleared: 1_670_300, fee: 334_060, earned: 1_336_240 },
    is_earned: true,
  },
  answered_ms: 95.2,
  ...more,
});

export const someAuction = (more: Partial<Explained> = {}): Explained => ({
  auction: AUCTION_ID,
  app: APP,
  at: "2026-11-20T05:12:50.925Z",
  traced: true,
  seed: "1",
  config_version: "1",
  deadline_ms: 100,
  country: "US",
  device: { os: "Android", os_version: "15", sdk_version: "1.0.0", connection: "Wi-Fi" },
  consent: { label: "No limits", text: "No privacy signal limited this request" },
  test: false,
  no_ad: null,
  imps: [someImp()],
  participants: PARTNERS,
  request: { id: AUCTION_ID, imp: [{ id: "1" }], device: { ifa: "hidden" } },
  followed: [
    {
      at: "2026-11-20T05:12:52.135Z",
      after_ms: 1210,
      kind: "impression",
      label: "Impression",
      provider: "games",
      name: "Lab games",
      zone: "extra_life",
      format: "rewarded",
      counted: true,
      why_not: null,
      revenue: 1336,
    },
    {
      at: "2026-11-20T05:12:52.865Z",
      after_ms: 1940,
      kind: "click",
      label: "Click",
      provider: "games",
      name: "Lab games",
      zone: "extra_life",
      format: "rewarded",
      counted: false,
      why_not: { code: "crawler", text: "It came from a crawler" },
      revenue: null,
    },
  ],
  player_events: [],
  replays: true,
  ...more,
});
