import {
  type AppMediation,
  type AppPartner,
  CAMPAIGN_PROVIDER,
  PARTNER_LIMITS,
  type PartnerScore,
  type Query,
  SPARK_DAYS,
  UNPAID_PROVIDERS,
  type appMediation,
} from "@millrace/contract";
import { type DayRange, addDays, dayOf, eachDay, percentOf } from "@millrace/units";
import type { PartnerDayRow, PartnerScoreRow } from "../../statistics/index.ts";
import { appIdentity } from "../app-identity.ts";
import { scopeOfQuery } from "../scope-of-query.ts";
import type { AppsDeps } from "../deps.ts";
import { providerLabels } from "../provider-labels.ts";
import type { App } from "../store.ts";
import { overSince } from "./over-limit.ts";

type Score = AppMediation["total"];

const none: ReadonlyMap<string, bigint> = new Map();

const daysUpTo = (de: string): DayRange => ({ ds: addDays(de, 1 - SPARK_DAYS), de });

/** A day that is not over would end each line of revenue with a fall. */
function lastFinishedDay(de: string, nowMs: number): string {
  const yesterday = addDays(dayOf(nowMs), -1);
  return de < yesterday ? de : yesterday;
}

/** The scorecards of all partners that an app has keys at, or that were asked in the days. */
export async function readMediation(
  deps: AppsDeps,
  app: App,
  query: Query<typeof appMediation>,
): Promise<AppMediation> {
  const { partners: statistics } = deps.statistics;
  const scope = { ...scopeOfQuery({ ...query, provider: [] }), appIds: [app.id] };
  const lately = daysUpTo(query.de);
  const finished = daysUpTo(lastFinishedDay(query.de, deps.clock.now()));
  const before = deps.statistics.comparedPeriod(scope.range, "previous");
  const [partners, names, scores, days, revenueDays, revenue, lastRevenue, unknown] = await Promise.all([
    deps.partnersOf(app.accountId, app.id),
    providerLabels(deps),
    statistics.scores(scope),
    statistics.days({ ...scope, range: lately }),
    statistics.revenueDays({ ...scope, range: finished }),
    statistics.revenue(scope, null),
    before === null ? none : statistics.revenue({ ...scope, range: before.range }, before.untilMs),
    statistics.unknown(scope),
  ]);
  const sparkDays = eachDay(finished);
  const sparks = sparksOf(revenueDays, sparkDays);
  const byId = new Map(scores.map((row) => [row.provider, row]));
  const scoreOf = (id: string): Score =>
    score(byId.get(id), {
      revenue: Number(revenue.get(id) ?? 0n),
      last_revenue: Number(lastRevenue.get(id) ?? 0n),
      spark: sparks.get(id) ?? sparkDays.map(() => 0),
    });
  // Whoever earned something stays listed, so that the rows add up to the total.
  const gone = [...new Set([...byId.keys(), ...revenue.keys(), ...lastRevenue.keys()])].filter(
    (id) => id !== "" && !UNPAID_PROVIDERS.includes(id) && !partners.some((partner) => partner.id === id),
  );
  const rows = [...partners, ...gone.map((id) => goneNow(id, names.get(id) ?? id))].map((partner): PartnerScore => {
    const own = days.filter(({ provider }) => provider === partner.id);
    return { ...partner, ...scoreOf(partner.id), ...limitsOf(own) };
  });
  const sumOf = (of: ReadonlyMap<string, bigint>) => Number([...of.values()].reduce((sum, each) => sum + each, 0n));
  return {
    app: appIdentity(deps, app),
    partners: rows.toSorted((a, b) => b.revenue - a.revenue || b.asked - a.asked || a.name.localeCompare(b.name)),
    total: score(byId.get(""), {
      revenue: sumOf(revenue),
      last_revenue: sumOf(lastRevenue),
      spark: sparkDays.map((_, day) => [...sparks.values()].reduce((sum, spark) => sum + (spark[day] ?? 0), 0)),
    }),
    unknown,
    spark_days: sparkDays,
    compared_until: isoOf(before?.untilMs ?? null),
  };
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** A partner without keys: it is gone, or it is the campaigns, which need none. */
const goneNow = (id: string, name: string): AppPartner => {
  const isOn = id === CAMPAIGN_PROVIDER.id;
  return { id, name, formats: [], keyed: [], enabled: isOn, active: isOn, is_test: false };
};

function score(row: PartnerScoreRow | undefined, money: Pick<Score, "revenue" | "last_revenue" | "spark">): Score {
  const { asked = 0, waited = 0, bids = 0, wins = 0, timeouts = 0, errors = 0 } = row ?? {};
  const bidAt = (micros: number | null | undefined) =>
    micros === null || micros === undefined ? null : Math.round(micros);
  return {
    asked,
    bids,
    bid_rate: percentOf(bids, asked),
    wins,
    win_rate: percentOf(wins, bids),
    timeouts,
    timeout_rate: percentOf(timeouts, waited),
    errors,
    low_bid: bidAt(row?.lowBidMicros),
    median_bid: bidAt(row?.medianBidMicros),
    high_bid: bidAt(row?.highBidMicros),
    p50_ms: row?.p50Ms ?? null,
    p95_ms: row?.p95Ms ?? null,
    ...money,
  };
}

function limitsOf(days: readonly PartnerDayRow[]): Pick<PartnerScore, "slow" | "late"> {
  const values = (of: (day: PartnerDayRow) => number | null) =>
    days.map((day) => ({ date: day.date, asked: day.asked, value: of(day) }));
  return {
    slow: overSince(
      values(({ p95Ms }) => p95Ms),
      PARTNER_LIMITS.p95Ms,
    ),
    late: overSince(
      values(({ timeouts, asked }) => percentOf(timeouts, asked)),
      PARTNER_LIMITS.timeoutRate,
    ),
  };
}

function sparksOf(
  rows: readonly { provider: string; date: string; revenueMicros: bigint }[],
  days: readonly string[],
): Map<string, number[]> {
  const place = new Map(days.map((day, index) => [day, index]));
  const sparks = new Map<string, number[]>();
  for (const { provider, date, revenueMicros } of rows) {
    const spark = sparks.get(provider) ?? days.map(() => 0);
    const index = place.get(date);
    if (index !== undefined) spark[index] = Number(revenueMicros);
    sparks.set(provider, spark);
  }
  return sparks;
}
