import type { AppParts, Changes, PublisherParts, StatRow, StatTable, Totals } from "@millrace/contract";

/** The totals of two days, with those of the previous two days. */
export const TOTALS: Totals = {
  uniques: 412,
  sessions: 1090,
  requests: 3410,
  impressions: 3000,
  clicks: 30,
  fillrate: 88.03,
  ctr: 1,
  ecpm: 6_310_000,
  revenue: 18_944_000,
  ltv: 45_900,
  use_rate: 37.8,
  current_session: 353,
  last_uniques: 400,
  last_sessions: 1000,
  last_use_rate: 40,
  last_current_session: 300,
  last_requests: 3100,
  last_impressions: 2500,
  last_clicks: 40,
  last_fillrate: 80.65,
  last_ctr: 1.6,
  last_ecpm: 6_000_000,
  last_revenue: 15_000_000,
  compared_until: null,
};

const ROW: StatRow = {
  id: "2026-11-18",
  name: "2026-11-18",
  uniques: 200,
  sessions: 500,
  requests: 1700,
  impressions: 1500,
  clicks: 15,
  fillrate: 88.24,
  ctr: 1,
  ecpm: 6_000_000,
  revenue: 9_000_000,
  last_sessions: 480,
  last_requests: 1550,
  last_impressions: 1250,
  last_clicks: 20,
  last_fillrate: 80.65,
  last_ctr: 1.6,
  last_ecpm: 6_000_000,
  last_revenue: 7_500_000,
};

const ANDROID_APP = {
  uuid: "00000000-0000-4000-8000-000000000001",
  app_id: 7,
  name: "Tide Puzzle",
  platform: "android",
} as const;
const IOS_APP = { ...ANDROID_APP, uuid: "00000000-0000-4000-8000-000000000002", app_id: 8, platform: "ios" } as const;

const EARNING = {
  at: "2026-11-19T05:00:00.000Z",
  auction_id: "00000000-0000-4000-8000-0000000000aa",
  icon: "data:image/svg+xml;base64,PHN2Zy8+",
  title: "Tide Puzzle",
  app_id: 7,
  platform: "android",
  url: null,
  provider: "loopme",
  provider_name: "LoopMe",
  format: "video",
  country: "XX",
  earn: 11_200,
} as const;

const SHARED = {
  totals: TOTALS,
  graph_data: {
    step: "day",
    dates: [
      ["2026-11-18", "2026-11-19"],
      ["2026-11-16", "2026-11-17"],
    ],
    series: { revenue: [9_000_000, 9_944_000], last_revenue: [7_000_000, 8_000_000] },
    complete_until: "2026-11-19",
    pace: null,
    compared_until: null,
  },
  top_formats: [{ format: "video", name: "Video", revenue: 18_944_000, last_revenue: 15_000_000 }],
  top_countries_impressions: [
    { country: "US", name: "United States", value: 2000, last_value: 1600 },
    { country: "XX", name: "XX", value: 1000, last_value: 900 },
  ],
  top_countries_revenue: [{ country: "US", name: "United States", value: 18_944_000, last_value: 15_000_000 }],
  online_revenue: [EARNING],
  stats: {
    view: "date",
    stats: [ROW, { ...ROW, id: "2026-11-19", name: "2026-11-19", revenue: 9_944_000 }],
    total: { ...ROW, id: "total", name: "Total", revenue: 18_944_000, impressions: 3000, last_revenue: 15_000_000 },
    requests_sent: null,
    compared_until: null,
  },
  not_counted: [],
} satisfies Partial<AppParts & PublisherParts>;

/** The replies for all apps of a publisher. */
export const PUBLISHER_PARTS: PublisherParts = {
  ...SHARED,
  top_apps: [
    { ...ANDROID_APP, logo_url: null, revenue: 10_000_000, last_revenue: 9_000_000 },
    { ...IOS_APP, logo_url: null, revenue: 8_944_000, last_revenue: 6_000_000 },
  ],
  ltv: {
    total: 45_900,
    devices: 412_600,
    cohort_devices: 0,
    curve: [],
    by_app: [
      { ...ANDROID_APP, ltv: 50_000, devices: 300_000 },
      { ...IOS_APP, ltv: 34_200, devices: 112_600 },
    ],
  },
};

const FIGURES = { requests: 3100, impressions: 2500, fillrate: 80.65, ecpm: 6_000_000, revenue: 15_000_000 };

/** Why the revenue of two days differs from that of the two days before. */
export const CHANGES: Changes = {
  before: FIGURES,
  after: { requests: 3410, impressions: 3000, fillrate: 88.03, ecpm: 6_310_000, revenue: 18_944_000 },
  difference: 3_944_000,
  factors: { requests: 1_600_000, fillrate: 1_544_000, ecpm: 800_000 },
  main: "requests",
  compared: { ds: "2026-11-16", de: "2026-11-17" },
  compared_until: null,
  by: "country",
  movers: [
    {
      id: "DE",
      name: "Germany",
      filter: { key: "country", value: "DE" },
      before: FIGURES,
      after: { ...FIGURES, requests: 3472, revenue: 16_800_000 },
      difference: 5_000_000,
      factors: { requests: 5_000_000, fillrate: 0, ecpm: 0 },
      main: "requests",
    },
    {
      id: "US",
      name: "United States",
      filter: { key: "country", value: "US" },
      before: FIGURES,
      after: { ...FIGURES, fillrate: 71.5, revenue: 14_000_000 },
      difference: -1_000_000,
      factors: { requests: 0, fillrate: -1_000_000, ecpm: 0 },
      main: "fillrate",
    },
  ],
  rest: -56_000,
};

/** The table by country; every other view gets the days. */
export const BY_COUNTRY: StatTable = {
  ...SHARED.stats,
  view: "country",
  stats: [
    { ...ROW, id: "US", name: "United States", revenue: 18_944_000, impressions: 2000 },
    { ...ROW, id: "XX", name: "XX", revenue: 500_000, impressions: 1000 },
  ],
};

/** The replies for one of them. */
export const APP_PARTS: AppParts = {
  ...SHARED,
  app: {
    ...ANDROID_APP,
    logo_url: null,
    url: null,
    bundle_id: "com.example.tide",
    in_dev: 0,
    sdk_status: "on",
    sdk_status_class: "success",
    sdk_info: { version: "1.0.0", changelog_url: null, update_url: null },
  },
  earnings_by_providers: [{ provider: "loopme", name: "LoopMe", revenue: 18_944_000, last_revenue: 15_000_000 }],
  impressions_by_formats: [{ format: "video", name: "Video", impressions: 3000, last_impressions: 2500 }],
  top_countries_sessions: [{ country: "US", name: "United States", value: 1090, last_value: 1000 }],
  top_countries_uniques: [{ country: "US", name: "United States", value: 412, last_value: 400 }],
  sdk_versions: [],
  why_no_ad: [
    {
      reason: "no_demand",
      text: "Partners had no demand",
      requests: 410,
      share: 100,
      last_requests: 380,
      last_share: 95,
    },
  ],
};

export const DASH_FILTERS = {
  dates: { ds: "2026-11-18", de: "2026-11-19", min: "2015-03-30", max: "2026-11-20" },
  search: "",
  providers: { loopme: "LoopMe" },
  formats: {
    banner: "Banner",
    interstitial: "Interstitial",
    video: "Video",
    rewarded: "Rewarded video",
    native: "Native",
    audio: "Audio",
  },
  countries: { US: "United States" },
  apps: { "7": "Tide Puzzle", "8": "Tide Puzzle" },
  first_day: "2026-10-01",
  first_days: { "7": "2026-10-01", "8": "2026-10-20" },
};
