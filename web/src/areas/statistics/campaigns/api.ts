import {
  type CampaignFigure,
  type CampaignFunc,
  type CampaignMetric,
  type CampaignOrder,
  type CampaignParts,
  type CampaignView,
  campaignStats,
} from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { type QueryClient, type UseQueryResult, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError, callApi } from "../../../shared/call-api.ts";
import type { Direction } from "../../../shared/filters/address.ts";
import { comparedPeriod } from "../../../shared/filters/compared-period.ts";
import { FINAL_MS, LIVE_MS, SLOW_MS } from "../api.ts";
import { type Compared, changeOf } from "../use-compared.ts";
import { type CampaignScope, scopeOfAddress } from "./campaign-address.ts";

interface PartQuery {
  metrics?: CampaignMetric[];
  view?: CampaignView;
  order?: CampaignOrder;
  order_type?: Direction;
}

interface Options extends PartQuery {
  pace?: "live" | "slow";
  enabled?: boolean;
}

const KEY = "campaign statistics";

/** The days include today, so the figures still change. */
export const isLive = ({ de }: CampaignScope): boolean => de === dayOf(Date.now());

function partQuery<F extends CampaignFunc>(func: F, scope: CampaignScope, part: PartQuery = {}) {
  const query = { ...scopeOfAddress(scope), ...part };
  return queryOptions({
    queryKey: [KEY, func, query],
    queryFn: ({ signal }) => readPart(func, query, signal),
    staleTime: isLive(scope) ? LIVE_MS : FINAL_MS,
  });
}

async function readPart<F extends CampaignFunc>(
  func: F,
  query: Partial<CampaignScope> & PartQuery,
  signal: AbortSignal,
): Promise<CampaignParts[F]> {
  const reply = await callApi(campaignStats, { query: { ...query, func: [func] }, signal });
  const parts: Partial<CampaignParts> = "stat_summary" in reply ? {} : reply;
  const part = parts[func];
  if (part === undefined) throw new ApiError(200, `The reply holds no ${func}`);
  return part;
}

/** One part of the campaigns' statistics: its own call, so that it loads, fails and retries on its own. */
export function useCampaignPart<F extends CampaignFunc>(
  func: F,
  scope: CampaignScope,
  { pace = "slow", enabled = true, ...rest }: Options = {},
): UseQueryResult<CampaignParts[F]> {
  return useQuery({
    ...partQuery(func, scope, rest),
    // Figures of other filters may be shown while loading.
    placeholderData: (before) => before,
    // A failed block waits for "Try again": polling would make its error flicker.
    refetchInterval: ({ state }) => isLive(scope) && state.data !== undefined && (pace === "live" ? LIVE_MS : SLOW_MS),
    enabled,
  });
}

const FRESH_MS = 60_000;

/** What the filters offer; the days and filters of the page do not matter to it. */
export const useCampaignChoices = () =>
  useQuery({
    queryKey: [KEY, "choices"],
    queryFn: ({ signal }) => readPart("choices", {}, signal),
    staleTime: FRESH_MS,
  }).data;

/** Parameters of a figure's graph: the call itself includes the compared period's costs, but no other figure's. */
export const graphMetrics = (figure: CampaignFigure): CampaignMetric[] =>
  figure === "costs" ? ["costs", "last_costs"] : [figure];

/** Prefetches the first parts of the page. */
export function askCampaignTotals(client: QueryClient, scope: CampaignScope, figure: CampaignFigure): void {
  const first = [partQuery("totals", scope), partQuery("graph_data", scope, { metrics: graphMetrics(figure) })];
  // Errors are reported where the part is shown.
  for (const query of first) client.query(query as never).catch(() => undefined);
}

/** A total compared with the chosen period; undefined until the totals are loaded, and without a comparison. */
export function useCampaignCompared(scope: CampaignScope): ((figure: CampaignFigure) => Compared) | undefined {
  const totals = useCampaignPart("totals", scope, { pace: "live" }).data;
  const against = comparedPeriod(scope, totals?.compared_until);
  if (!totals || against === null) return undefined;
  return (figure) => {
    const before = totals[`last_${figure}`];
    return { before, change: changeOf(figure, totals[figure], before), against };
  };
}
