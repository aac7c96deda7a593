import { conversionRate, costPerConversionMicros } from "@millrace/units";
import {
  CAMPAIGN_METRICS,
  type CampaignGraph,
  type CampaignMetric,
  type CampaignStatRow,
  type CampaignTotals,
  type CampaignView,
  type ComparisonKind,
  type CountryValue,
  type Metric,
  TOP_COUNTRIES,
} from "@millrace/contract";
import { pauses } from "../../../platform/pauses.ts";
import { graph } from "../graph.ts";
import { countryName } from "../labels.ts";
import { lastFigures, microsNumber, rates } from "../metrics.ts";
import { type ScopeStatisticsDeps, comparedPeriod } from "../scope-statistics.ts";
import { byText } from "../shares.ts";
import { TOTAL } from "../sums.stat.ts";
import { daysLater } from "../table.ts";
import { comparedUntil } from "../totals.ts";
import { type CampaignNumbers, type CampaignSums, NO_CAMPAIGN_SUMS, campaignNumbers } from "./campaign-numbers.ts";
import type { CampaignScope } from "./campaign-scope.ts";

export interface CampaignQuestion {
  scope: CampaignScope;
  compare: ComparisonKind;
  metrics: readonly CampaignMetric[];
}

/** What a key cost, and in the compared period; null without one. */
export interface KeyCosts {
  id: string;
  costs: number;
  last_costs: number | null;
}

/** Every part of the statistics of the scope's campaigns as a question that can be asked alone. */
export function campaignStatistics(deps: ScopeStatisticsDeps, { scope, compare, metrics }: CampaignQuestion) {
  const numbers = campaignNumbers(deps.ask, scope, comparedPeriod(deps, scope.range, compare));
  return {
    totals: () => campaignTotals(numbers),
    graph: () => campaignGraph(numbers, metrics, deps.clock.now()),
    /** The most first; a campaign's and a creative's key is its id in numbers. */
    costsBy: (group: "campaign" | "format") => costsBy(numbers, group),
    topCountries: () => topCountries(numbers),
    rows: (view: CampaignView) => rowsOf(numbers, view),
  };
}
export type CampaignStatistics = ReturnType<typeof campaignStatistics>;

/** What of a row is figures. */
export type CampaignFigures = Omit<CampaignStatRow, "id" | "name" | "image_url">;

/** The figures of sums whose money is costs, and of the compared ones; without a comparison those are null. */
function figuresOf(sums: CampaignSums, last: CampaignSums | null): CampaignFigures {
  const { uniques: _uniques, sessions: _sessions, revenue: costs, ...now } = rates(sums, 0, false);
  const { last_sessions: _last, last_revenue: last_costs, ...before } = lastFigures(last, false);
  const lastResults = last && resultsOf(last);
  return {
    ...now,
    ...resultsOf(sums),
    costs,
    ...before,
    last_conversions: lastResults?.conversions ?? null,
    last_view_conversions: lastResults?.view_conversions ?? null,
    last_cvr: lastResults?.cvr ?? null,
    last_cpa: lastResults?.cpa ?? null,
    last_costs,
  };
}

/** What clicks led to. Rates are of conversions after a click alone. */
const resultsOf = ({ conversions, viewConversions, clicks, revenueMicros }: CampaignSums) => ({
  conversions,
  view_conversions: viewConversions,
  cvr: conversionRate(conversions, clicks),
  cpa: costPerConversionMicros(revenueMicros, conversions),
});
type Result = keyof ReturnType<typeof resultsOf>;
const isResult = (metric: CampaignMetric): metric is Result =>
  metric === "conversions" || metric === "view_conversions" || metric === "cvr" || metric === "cpa";

async function campaignTotals(numbers: CampaignNumbers): Promise<CampaignTotals> {
  const [now, last] = await Promise.all([numbers.sums("total"), numbers.compared?.sums("total")]);
  return {
    ...figuresOf(now.get(TOTAL) ?? NO_CAMPAIGN_SUMS, last ? (last.get(TOTAL) ?? NO_CAMPAIGN_SUMS) : null),
    compared_until: comparedUntil(numbers),
  };
}

/** The view's rows with any figure, by their keys, and when the compared ones end. A day's compared row is that of the same place. */
async function rowsOf(
  numbers: CampaignNumbers,
  view: CampaignView,
): Promise<{ rows: ({ id: string } & CampaignFigures)[]; total: CampaignTotals }> {
  const [now, before, total] = await Promise.all([
    numbers.sums(view),
    numbers.compared?.sums(view),
    campaignTotals(numbers),
  ]);
  const sameDay = daysLater(numbers);
  const last = before && new Map([...before].map(([id, row]) => [view === "date" ? sameDay(id) : id, row]));
  const pause = pauses();
  const rows: ({ id: string } & CampaignFigures)[] = [];
  for (const id of new Set([...now.keys(), ...(last?.keys() ?? [])])) {
    const figures = figuresOf(now.get(id) ?? NO_CAMPAIGN_SUMS, last ? (last.get(id) ?? NO_CAMPAIGN_SUMS) : null);
    if (hasAny(figures)) rows.push({ id, ...figures });
    // An account may have 25,000 creatives.
    await pause();
  }
  return { rows, total };
}

const hasAny = ({ requests, impressions, clicks, conversions, costs, ...last }: CampaignFigures): boolean =>
  [
    requests,
    impressions,
    clicks,
    conversions,
    last.view_conversions,
    costs,
    last.last_requests,
    last.last_impressions,
    last.last_clicks,
    last.last_conversions,
    last.last_view_conversions,
    last.last_costs,
  ].some((count) => count !== null && count > 0);

const AS_REVENUE = { costs: "revenue", last_costs: "last_revenue" } as const;
const metricOf = (metric: Exclude<CampaignMetric, Result>): Metric =>
  metric === "costs" || metric === "last_costs" ? AS_REVENUE[metric] : metric;

/** The asked series, all without any asked: a graph whose revenue is what the campaigns cost. */
async function campaignGraph(
  numbers: CampaignNumbers,
  chosen: readonly CampaignMetric[],
  nowMs: number,
): Promise<CampaignGraph> {
  const metrics = chosen.length === 0 ? CAMPAIGN_METRICS : chosen;
  const shared = metrics.filter((metric) => !isResult(metric));
  const data = await graph(numbers, shared.map(metricOf), nowMs);
  const sums = await numbers.sums(data.step === "hour" ? "hour" : "date");
  const results = data.dates[0].map((date) => resultsOf(sums.get(date) ?? NO_CAMPAIGN_SUMS));
  const named = <T>(values: Partial<Record<Metric, T>>) =>
    Object.fromEntries(
      shared.flatMap((metric) => {
        const value = values[metricOf(metric)];
        return value === undefined ? [] : [[metric, value] as const];
      }),
    );
  return {
    ...data,
    series: {
      ...named(data.series),
      ...Object.fromEntries(metrics.filter(isResult).map((metric) => [metric, results.map((point) => point[metric])])),
    },
    pace: data.pace && { at: data.pace.at, values: named(data.pace.values) },
  };
}

async function costsBy(numbers: CampaignNumbers, group: "campaign" | "format" | "country"): Promise<KeyCosts[]> {
  const [now, last] = await Promise.all([numbers.sums(group), numbers.compared?.sums(group)]);
  return [...now.values()]
    .map(({ id, revenueMicros }) => ({
      id,
      costs: microsNumber(revenueMicros),
      last_costs: last ? microsNumber(last.get(id)?.revenueMicros ?? 0n) : null,
    }))
    .filter(({ costs }) => costs > 0)
    .toSorted((a, b) => b.costs - a.costs || byText(a.id, b.id));
}

async function topCountries(numbers: CampaignNumbers): Promise<CountryValue[]> {
  const countries = await costsBy(numbers, "country");
  return countries
    .slice(0, TOP_COUNTRIES)
    .map(({ id, costs, last_costs }) => ({ country: id, name: countryName(id), value: costs, last_value: last_costs }));
}
