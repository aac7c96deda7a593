import type { AppMetrics, Totals } from "@millrace/contract";
import { NO_LIFETIME, NO_SUMS, appMetrics, rates } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";

/** The metrics of the days, and as `last_…` those of as many days before. */
export async function totals(numbers: Numbers): Promise<Totals> {
  const [sums, uniques, lifetime] = await Promise.all([
    numbers.sumsWithPrevious("period"),
    numbers.uniquesWithPrevious("period"),
    numbers.lifetime(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  const of = (period: "current" | "previous") => [sums.get(period) ?? NO_SUMS, uniques.get(period) ?? 0] as const;
  const last = rates(...of("previous"), withSessions);
  return {
    ...appMetrics(...of("current"), lifetime, withSessions),
    last_uniques: last.uniques,
    last_sessions: last.sessions,
    last_requests: last.requests,
    last_impressions: last.impressions,
    last_clicks: last.clicks,
    last_fillrate: last.fillrate,
    last_ctr: last.ctr,
    last_ecpm: last.ecpm,
    last_revenue: last.revenue,
  };
}

/** The metrics of the days for all apps of the scope together, and for each; an app without any is all zeros. */
export async function metricsByApp(
  numbers: Numbers,
): Promise<{ total: AppMetrics; of: (appId: number) => AppMetrics }> {
  const [total, uniquesTotal, lifetime, sums, uniques, lifetimes] = await Promise.all([
    numbers.sums("period"),
    numbers.uniques("period"),
    numbers.lifetime(),
    numbers.sums("app"),
    numbers.uniques("app"),
    numbers.lifetimeByApp(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  return {
    total: appMetrics(total.get("current") ?? NO_SUMS, uniquesTotal.get("current") ?? 0, lifetime, withSessions),
    of: (appId) =>
      appMetrics(
        sums.get(String(appId)) ?? NO_SUMS,
        uniques.get(String(appId)) ?? 0,
        lifetimes.get(appId) ?? NO_LIFETIME,
        withSessions,
      ),
  };
}
