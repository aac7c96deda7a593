import { type AppBids, type AppMediation, type PartnerScore, SPARK_DAYS } from "@millrace/contract";
import { someApp, someSettings } from "./open-page.tsx";

const FIGURES = {
  asked: 1000,
  bids: 500,
  bid_rate: 50,
  wins: 100,
  win_rate: 20,
  timeouts: 10,
  timeout_rate: 1,
  errors: 2,
  low_bid: 1_200_000,
  median_bid: 2_500_000,
  high_bid: 4_000_000,
  p50_ms: 20.4,
  p95_ms: 61.2,
  revenue: 12_340_000,
  last_revenue: 10_000_000,
  spark: Array.from({ length: SPARK_DAYS }, (_, day) => day * 1000),
};

/** The scorecards of the partners of `someSettings`. */
export function someMediation(change: (partner: PartnerScore) => Partial<PartnerScore> = () => ({})): AppMediation {
  const partners = someSettings().partners.map((partner): PartnerScore => {
    const score = { ...partner, ...FIGURES, slow: null, late: null };
    return { ...score, ...(partner.keyed.length === 0 && { asked: 0, revenue: 0 }), ...change(score) };
  });
  return {
    app: someApp(),
    partners,
    total: FIGURES,
    unknown: { requests: 0, since: "2024-10-01" },
    spark_days: Array.from({ length: SPARK_DAYS }, (_, day) => `2024-11-${String(day + 6).padStart(2, "0")}`),
    compared_until: null,
  };
}

export const someBids = (change: Partial<AppBids> = {}): AppBids => ({
  day: "2024-11-18",
  requests: 900,
  without_bid: 100,
  impressions: 600,
  revenue: 3_000_000,
  buckets: [
    { from: 4_641_589, requests: 300, sold: 0, impressions: 0, revenue: 0 },
    { from: 5_623_413, requests: 500, sold: 500, impressions: 600, revenue: 3_000_000 },
  ],
  floors: [5_170_000],
  effect: null,
  ...change,
});
