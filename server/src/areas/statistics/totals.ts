import type { AppMetrics, LastFigures, Totals } from "@millrace/contract";
import { ltvMicros } from "@millrace/units";
import { NO_LIFETIME, NO_SUMS, appMetrics, lastFigures } from "./metrics.ts";
import type { ComparedNumbers, Numbers } from "./numbers.ts";
import { hasSessions } from "./scope.ts";
import { TOTAL } from "./sums.stat.ts";

const ALL_APPS = 0;

/** The metrics of the days, and as `last_…` those of the compared period. */
export async function totals(numbers: Numbers): Promise<Totals> {
  const { compared } = numbers;
  const [sums, uniques, lastSums, lastUniques, lifetimes] = await Promise.all([
    numbers.sums("total"),
    numbers.uniques("total"),
    compared?.sums("total"),
    compared?.uniques("total"),
    numbers.lifetimes(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  const last = lastSums ? (lastSums.get(TOTAL) ?? NO_SUMS) : null;
  const lastDevices = lastUniques ? (lastUniques.get(TOTAL) ?? 0) : null;
  const lastMetrics = last && appMetrics(last, lastDevices ?? 0, NO_LIFETIME, withSessions);
  return {
    ...appMetrics(
      sums.get(TOTAL) ?? NO_SUMS,
      uniques.get(TOTAL) ?? 0,
      lifetimes.get(ALL_APPS) ?? NO_LIFETIME,
      withSessions,
    ),
    ...lastFigures(last, withSessions),
    last_uniques: lastDevices,
    last_use_rate: lastMetrics?.use_rate ?? null,
    last_current_session: lastMetrics?.current_session ?? null,
    compared_until: comparedUntil(numbers),
  };
}

/** The moment at which the compared period's numbers end, if its last day is not counted whole. */
export function comparedUntil({ compared }: { compared: Pick<ComparedNumbers, "comparison"> | null }): string | null {
  const untilMs = compared?.comparison.untilMs ?? null;
  return untilMs === null ? null : new Date(untilMs).toISOString();
}

export type MetricsOfApp = AppMetrics & LastFigures;

/** The totals of all apps of the scope together, and the metrics of each; an app without numbers is all zeros. */
export async function metricsByApp(numbers: Numbers): Promise<{ total: Totals; of: (appId: number) => MetricsOfApp }> {
  const { compared } = numbers;
  const [sums, uniques, lastSums, total, lifetimes] = await Promise.all([
    numbers.sums("app"),
    numbers.uniques("app"),
    compared?.sums("app"),
    // A device that used two apps counts once in the total.
    totals(numbers),
    numbers.lifetimes(),
  ]);
  const withSessions = hasSessions(numbers.scope);
  return {
    total,
    of: (appId) => {
      const id = String(appId);
      const life = lifetimes.get(appId) ?? NO_LIFETIME;
      return {
        ...appMetrics(sums.get(id) ?? NO_SUMS, uniques.get(id) ?? 0, life, withSessions),
        ...lastFigures(lastSums ? (lastSums.get(id) ?? NO_SUMS) : null, withSessions),
      };
    },
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
