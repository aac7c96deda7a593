import { type AppIdentity, REQUESTS_PER_PAGE, type Reply, appStats, listRequests } from "@millrace/contract";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { callApi } from "../../shared/call-api.ts";
import type { RequestsAddress } from "./requests-address.ts";

export type RequestsPage = Reply<typeof listRequests>;
export type RecordedRequest = RequestsPage["requests"][number];

const LIVE_MS = 3000;
const FRESH_MS = 60_000;
const MOST_NEW = 200;
/** Each takes a tenth of a second; then the user decides. */
const MOST_SEARCHES = 10;

/** A request's key: an auction may have several. */
export const keyOf = ({ auction, imp }: RecordedRequest): string => `${auction} ${imp}`;

/** The app that a page is about. */
export function useApp(uuid: string | undefined) {
  return useQuery({
    queryKey: ["app-identity", uuid],
    queryFn: async ({ signal }): Promise<AppIdentity | null> => {
      const { app } = await readParts(uuid ?? "", { func: ["app"] }, signal);
      return app ?? null;
    },
    staleTime: FRESH_MS,
    enabled: uuid !== undefined,
  });
}

async function readParts(
  id: string,
  query: { func: ("app" | "stats" | "why_no_ad")[]; ds?: string; de?: string; view?: "zone" },
  signal: AbortSignal,
) {
  const reply = await callApi(appStats, { params: { id }, query, signal });
  return "stat_summary" in reply ? {} : reply;
}

/** The zones and the reasons for no ad that the range's requests have, by id. */
export function useRequestFacts(uuid: string, { ds, de }: Pick<RequestsAddress, "ds" | "de">) {
  return useQuery({
    queryKey: ["request-facts", uuid, ds, de],
    queryFn: async ({ signal }) => {
      const { stats, why_no_ad: reasons } = await readParts(
        uuid,
        { func: ["stats", "why_no_ad"], view: "zone", ds, de },
        signal,
      );
      return {
        zones: Object.fromEntries((stats?.stats ?? []).map(({ id, name }) => [id, name])),
        reasons: Object.fromEntries((reasons ?? []).map(({ reason, text }) => [reason, text])),
      };
    },
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/**
 * The list of requests, page by page. `epoch` begins it anew with what has arrived since. A search that was cut off to answer
 * in time goes on by itself for a while, so that a rare request is found without a click.
 */
export function useRequests(uuid: string, address: RequestsAddress, epoch: number) {
  const list = useInfiniteQuery({
    queryKey: ["requests", uuid, address, epoch],
    queryFn: ({ pageParam, signal }) =>
      callApi(listRequests, {
        params: { id: uuid },
        query: { ...address, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ older }) => older,
    // The rows stay as they are until the user asks for new ones.
    staleTime: Infinity,
    placeholderData: (before, query) => (query?.queryKey[1] === uuid ? before : undefined),
  });
  const { data, hasNextPage, isFetching, isPlaceholderData, isError, fetchNextPage } = list;
  const pages = data?.pages ?? [];
  const count = pages.reduce((sum, { requests }) => sum + requests.length, 0);
  const goesOn = hasNextPage && count < REQUESTS_PER_PAGE && pages.length < MOST_SEARCHES;
  useEffect(() => {
    if (goesOn && !isFetching && !isPlaceholderData && !isError) void fetchNextPage();
  }, [goesOn, isFetching, isPlaceholderData, isError, fetchNextPage]);
  return list;
}

/** The requests that have arrived since the newest one shown. */
export function useNewRequests(
  uuid: string,
  address: RequestsAddress,
  { shown, newest, enabled }: { shown: readonly RecordedRequest[]; newest: string | null; enabled: boolean },
) {
  const query = useQuery({
    queryKey: ["requests-new", uuid, address, newest],
    queryFn: ({ signal }) =>
      callApi(listRequests, {
        params: { id: uuid },
        query: { ...address, rows: MOST_NEW, ...(newest !== null && { after: newest }) },
        signal,
      }),
    refetchInterval: LIVE_MS,
    enabled,
  });
  const known = new Set(shown.map(keyOf));
  const count = (query.data?.requests ?? []).filter((request) => !known.has(keyOf(request))).length;
  return {
    enabled,
    count: enabled ? count : 0,
    isMore: (query.data?.older ?? null) !== null,
    updatedAtMs: query.dataUpdatedAt,
    failing: query.isError,
  };
}
