import {
  type Annotation,
  type AppFunc,
  type AppParts,
  type Changes,
  type Metric,
  type MoverGroup,
  type PublisherFunc,
  type PublisherParts,
  type TableOrder,
  type View,
  appAnnotations,
  appChanges,
  appStats,
  publisherAnnotations,
  publisherChanges,
  publisherStats,
} from "@millrace/contract";
import { type QueryClient, type UseQueryResult, queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { ApiError, callApi } from "../../shared/call-api.ts";
import { type ChartMetric, type Direction, carriedOf } from "../../shared/filters/address.ts";
import { comparedDays } from "../../shared/filters/compared-period.ts";
import type { AppScope, PublisherScope, Scope } from "./scope.ts";

/** Polling intervals of light and heavy parts of a page that includes today. A hidden tab does not poll. */
export const LIVE_MS = 3000;
export const SLOW_MS = 15_000;
export const FINAL_MS = 300_000;

type Func = AppFunc | PublisherFunc;
/** The parts that both one app and all apps have. */
type SharedFunc = AppFunc & PublisherFunc;
type Parts = AppParts & PublisherParts;

interface PartQuery {
  metrics?: Metric[];
  view?: View;
  order?: TableOrder;
  order_type?: Direction;
}

interface PartOptions extends PartQuery {
  pace?: "live" | "slow";
  enabled?: boolean;
  /** The scope of the page, if the part is of other days: the page shows no key figures of those. */
  page?: Scope;
}

const scopeKey = ({ uuid }: Scope) => uuid ?? "all apps";

function partQuery(func: Func, scope: Scope, part: PartQuery = {}) {
  const query = { ...filterOf(scope), ...part };
  return queryOptions({
    queryKey: ["statistics", scopeKey(scope), func, query],
    queryFn: ({ signal }) => readPart(func, scope, query, signal),
    staleTime: scope.live ? LIVE_MS : FINAL_MS,
  });
}

/** One part of the statistics of a scope: its own call, so that it loads, fails and retries on its own. */
export function usePart<F extends AppFunc>(func: F, scope: AppScope, options?: PartOptions): UseQueryResult<Parts[F]>;
export function usePart<F extends PublisherFunc>(
  func: F,
  scope: PublisherScope,
  options?: PartOptions,
): UseQueryResult<Parts[F]>;
export function usePart<F extends SharedFunc>(func: F, scope: Scope, options?: PartOptions): UseQueryResult<Parts[F]>;
export function usePart(func: Func, scope: Scope, options: PartOptions = {}): UseQueryResult<Parts[Func]> {
  const { pace = "slow", enabled = true, page = scope, ...rest } = options;
  const mayAsk = useKeyFiguresFirst(page) || FIRST_PARTS.has(func);
  return useQuery({
    ...partQuery(func, scope, rest),
    // Figures of other filters may be shown while loading, but never those of another app.
    placeholderData: (before, query) => (query?.queryKey[1] === scopeKey(scope) ? before : undefined),
    // A failed block waits for "Try again": polling would make its error flicker.
    refetchInterval: ({ state }) => scope.live && state.data !== undefined && (pace === "live" ? LIVE_MS : SLOW_MS),
    enabled: enabled && mayAsk,
  });
}

/** The parts of the first screenful, and the query that shows whether the app exists. */
const FIRST_PARTS: ReadonlySet<Func> = new Set(["totals", "graph_data", "app"]);

/**
 * Whether the key figures are there, or have failed: until then nothing below competes with them. Deferred, so that they are
 * drawn before the other parts are asked for.
 */
const useKeyFiguresFirst = (scope: Scope): boolean =>
  useDeferredValue(useQuery({ ...partQuery("totals", scope), enabled: false }).isFetched);

/** Parameters of a metric's graph: the call itself includes the compared period's revenue, but no other metric's. */
export const graphMetrics = (metric: ChartMetric): Metric[] =>
  metric === "revenue" ? ["revenue", "last_revenue"] : [metric];

/** Prefetches the first parts of a statistics page. */
export function askTotals(client: QueryClient, scope: Scope, metric: ChartMetric): void {
  const first = [partQuery("totals", scope), partQuery("graph_data", scope, { metrics: graphMetrics(metric) })];
  // Errors are reported where the part is shown.
  for (const query of first) client.query(query).catch(() => undefined);
}

/** What changed from the compared period, by the group that explains it best, or by the chosen one. */
export function useChanges(scope: Scope, by: MoverGroup | undefined): UseQueryResult<Changes> {
  const { ds, de, provider, format, country, compare } = scope.filter;
  const query = { ds, de, provider, format, country, compare: compare === "weekdays" ? compare : "previous" } as const;
  const apps = scope.uuid === null ? scope.filter.app_id : [];
  return useQuery({
    queryKey: ["statistics", scopeKey(scope), "changes", query, apps, by],
    queryFn: ({ signal }) =>
      scope.uuid === null
        ? callApi(publisherChanges, { query: { ...query, app_id: apps, by }, signal })
        : callApi(appChanges, {
            params: { id: scope.uuid },
            query: { ...query, by: by === "app" ? undefined : by },
            signal,
          }),
    staleTime: scope.live ? LIVE_MS : FINAL_MS,
    placeholderData: (before, previous) => (previous?.queryKey[1] === scopeKey(scope) ? before : undefined),
    refetchInterval: ({ state }) => scope.live && state.data !== undefined && SLOW_MS,
    enabled: useKeyFiguresFirst(scope) && comparedDays(scope.filter) !== null,
  });
}

/** What was changed within the days, for ticks on a chart. */
export function useAnnotations(scope: Scope): readonly Annotation[] {
  const { ds, de, provider, format, country } = scope.filter;
  const query = { ds, de, provider, format, country };
  const apps = scope.uuid === null ? scope.filter.app_id : [];
  const { data } = useQuery({
    queryKey: ["statistics", scopeKey(scope), "annotations", query, apps],
    queryFn: ({ signal }) =>
      scope.uuid === null
        ? callApi(publisherAnnotations, { query: { ...query, app_id: apps }, signal })
        : callApi(appAnnotations, { params: { id: scope.uuid }, query, signal }),
    staleTime: SLOW_MS,
  });
  return data?.annotations ?? NO_ANNOTATIONS;
}

const NO_ANNOTATIONS: readonly Annotation[] = [];

/** The dates, filters and comparison of a scope, as its calls take them. */
export const filterOf = ({ uuid, filter }: Scope) => ({
  ...carriedOf(filter),
  ...(uuid === null ? { app_id: filter.app_id } : {}),
});

type FullPartQuery = ReturnType<typeof filterOf> & PartQuery;

async function readPart(func: Func, { uuid }: Scope, query: FullPartQuery, signal: AbortSignal): Promise<Parts[Func]> {
  const full = { ...query, func: [func] as never[] };
  const reply: Partial<Parts> =
    uuid === null
      ? await callApi(publisherStats, { query: full, signal })
      : await callApi(appStats, { params: { id: uuid }, query: full, signal });
  const part = reply[func];
  if (part === undefined) throw new ApiError(200, `The reply holds no ${func}`);
  return part;
}
