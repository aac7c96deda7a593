import type { AppMetrics, Totals } from "@millrace/contract";
import { ltvMicros } from "@millrace/units";
import { NO_LIFETIME, NO_SUMS, appMetrics } from "./metrics.ts";
import type { Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";
import { type Sums, TOTAL } from "./sums.stat.ts";

const ALL_APPS = 0;

/** The metrics of the days, and as `last_…` those of the same number of days before. */
export async function totals(numbers: Numbers): Promise<Totals> {
  const before = numbers.previous();
  const [sums, uniques, lastSums, lastUniques, lifetimes] = await Promise.all([
    numbers.sums("total"),
    numbers.uniques("total"),
    before.sums("total"),
    before.uniques("total"),
    numbers.lifetimes(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  const last = appMetrics(lastSums.get(TOTAL) ?? NO_SUMS, lastUniques.get(TOTAL) ?? 0, NO_LIFETIME, withSessions);
  return {
    ...appMetrics(
      sums.get(TOTAL) ?? NO_SUMS,
      uniques.get(TOTAL) ?? 0,
      lifetimes.get(ALL_APPS) ?? NO_LIFETIME,
      withSessions,
    ),
    last_uniques: last.uniques,
    last_sessions: last.sessions,
    last_use_rate: last.use_rate,
    last_current_session: last.current_session,
    last_requests: last.requests,
    last_impressions: last.impressions,
    last_clicks: last.clicks,
    last_fillrate: last.fillrate,
    last_ctr: last.ctr,
    last_ecpm: last.ecpm,
    last_revenue: last.revenue,
  };
}

/** The metrics of all apps of the scope together, and of each; an app without numbers is all zeros. */
export async function metricsByApp(
  numbers: Numbers,
): Promise<{ total: AppMetrics; of: (appId: number) => AppMetrics }> {
  const [sums, uniques, allSums, allUniques, lifetimes] = await Promise.all([
    numbers.sums("app"),
    numbers.uniques("app"),
    numbers.sums("total"),
    // A device that used two apps counts once in the total.
    numbers.uniques("total"),
    numbers.lifetimes(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  const metrics = (of: Sums | undefined, devices: number | undefined, appId: number) =>
    appMetrics(of ?? NO_SUMS, devices ?? 0, lifetimes.get(appId) ?? NO_LIFETIME, withSessions);
  return {
    total: metrics(allSums.get(TOTAL), allUniques.get(TOTAL), ALL_APPS),
    of: (appId) => metrics(sums.get(String(appId)), uniques.get(String(appId)), appId),
  };
}

/** Lifetime value per device: of all the scope's apps together, and of each. Days and filters do not apply. */
export async function lifetimeValue(
  numbers: Numbers,
): Promise<{ total: number | null; devices: number; byApp: { appId: number; ltv: number | null; devices: number }[] }> {
  const lifetimes = await numbers.lifetimes();
  const all = lifetimes.get(ALL_APPS);
  return {
    total: all ? ltvMicros(all.revenueMicros, all.devices) : null,
    devices: all?.devices ?? 0,
    byApp: [...lifetimes]
      .filter(([appId]) => appId !== ALL_APPS)
      .map(([appId, { revenueMicros, devices }]) => ({ appId, ltv: ltvMicros(revenueMicros, devices), devices })),
  };
}
