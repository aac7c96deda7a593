import type { AppMetrics, LastFigures, StatRow } from "@millrace/contract";
import { ctr, currentSession, ecpmMicros, fillRate, ltvMicros, useRate as rateOfUse } from "@millrace/units";
import type { Sums } from "./sums.stat.ts";

export const NO_SUMS: Sums = {
  id: "",
  requests: 0,
  impressions: 0,
  clicks: 0,
  sessions: 0,
  sessionSeconds: 0,
  revenueMicros: 0n,
};

export interface Lifetime {
  revenueMicros: bigint;
  devices: number;
}
export const NO_LIFETIME: Lifetime = { revenueMicros: 0n, devices: 0 };

/** The figures of a period; those of the compared one come from `lastFigures`. */
export type Rates = Omit<StatRow, "id" | "name" | keyof LastFigures>;

/** Counts, money and the rates made of them. `withSessions` is false where a filter or view leaves no sessions. */
export function rates(sums: Sums, uniques: number, withSessions: boolean): Rates {
  return {
    uniques,
    sessions: withSessions ? sums.sessions : null,
    requests: sums.requests,
    impressions: sums.impressions,
    clicks: sums.clicks,
    fillrate: fillRate(sums.impressions, sums.requests),
    ctr: ctr(sums.clicks, sums.impressions),
    ecpm: ecpmMicros(sums.revenueMicros, sums.impressions),
    revenue: microsNumber(sums.revenueMicros),
  };
}

/** The figures of the compared period; null without one. */
export function lastFigures(sums: Sums | null, withSessions: boolean): LastFigures {
  const last = sums && rates(sums, 0, withSessions);
  return {
    last_sessions: last?.sessions ?? null,
    last_requests: last?.requests ?? null,
    last_impressions: last?.impressions ?? null,
    last_clicks: last?.clicks ?? null,
    last_fillrate: last?.fillrate ?? null,
    last_ctr: last?.ctr ?? null,
    last_ecpm: last?.ecpm ?? null,
    last_revenue: last?.revenue ?? null,
  };
}

/** All metrics of an app, or of several together. */
export function appMetrics(sums: Sums, uniques: number, lifetime: Lifetime, withSessions: boolean): AppMetrics {
  return {
    ...rates(sums, uniques, withSessions),
    ltv: ltvMicros(lifetime.revenueMicros, lifetime.devices),
    use_rate: withSessions ? rateOfUse(uniques, sums.sessions) : null,
    current_session: withSessions ? currentSession(sums.sessionSeconds, sums.sessions) : null,
  };
}

/** Money for a reply, which carries it as a JSON number. */
export function microsNumber(micros: bigint): number {
  const number = Number(micros);
  if (!Number.isSafeInteger(number)) throw new RangeError("an amount passes nine billion dollars");
  return number;
}
