import { type AppFunc, type AppParts, type Metric, type TableOrder, type View, appStats } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { ApiError, callApi } from "../../shared/call-api.ts";
import type { Direction, Filter } from "../../shared/filters/address.ts";

/** The light parts of a page that includes today, and the heavy ones. A hidden tab asks for nothing. */
const LIVE_MS = 3000;
const SLOW_MS = 15_000;
const FINAL_MS = 300_000;

/** Whose figures, of which days, through which filters. */
export interface Scope {
  uuid: string;
  filter: Filter;
  /** The days include today, so the figures still move. */
  live: boolean;
}

interface PartOptions {
  pace?: "live" | "slow";
  metrics?: Metric[];
  view?: View;
  order?: TableOrder;
  order_type?: Direction;
  enabled?: boolean;
}

/** One part of an app's statistics: its own call, so that it loads, fails and retries on its own. */
export function usePart<F extends AppFunc>(func: F, { uuid, filter, live }: Scope, options: PartOptions = {}) {
  const { pace = "slow", enabled = true, ...asked } = options;
  const { ds, de, provider, format, country } = filter;
  const query = { ds, de, provider, format, country, func: [func], ...asked };
  return useQuery({
    queryKey: ["statistics", uuid, func, query],
    queryFn: ({ signal }) => readPart(func, uuid, query, signal),
    // The figures of other filters may stand in for a moment, those of another app never.
    placeholderData: (before, query) => (query?.queryKey[1] === uuid ? before : undefined),
    // A block that has failed waits for Try again: asked on and on, its error would flicker.
    refetchInterval: ({ state }) => live && state.data !== undefined && (pace === "live" ? LIVE_MS : SLOW_MS),
    staleTime: live ? LIVE_MS : FINAL_MS,
    enabled,
  });
}

async function readPart<F extends AppFunc>(
  func: F,
  id: string,
  query: Filter & { func: F[] } & Omit<PartOptions, "pace" | "enabled">,
  signal: AbortSignal,
): Promise<AppParts[F]> {
  const reply: Partial<AppParts> = await callApi(appStats, { params: { id }, query, signal });
  const part = reply[func];
  if (part === undefined) throw new ApiError(200, `The reply holds no ${func}`);
  return part;
}
