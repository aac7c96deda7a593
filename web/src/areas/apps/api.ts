import { listApps } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import type { ListAddress } from "../../shared/filters/address.ts";

const LIVE_MS = 10_000;
const FOUND_APPS = 8;

/** The account's apps as the address asks for them; while the range includes today they are read again and again. */
export function useApps(address: ListAddress, live: boolean) {
  return useQuery({
    queryKey: ["apps", address],
    queryFn: ({ signal }) => callApi(listApps, { query: address, signal }),
    placeholderData: keepPreviousData,
    // A list that has failed waits for Try again: asked on and on, its error would flicker.
    refetchInterval: ({ state }) => live && state.data !== undefined && LIVE_MS,
    staleTime: LIVE_MS,
  });
}

/** The first few apps whose name holds the text. */
export function useAppSearch(search: string) {
  return useQuery({
    queryKey: ["apps", "search", search],
    queryFn: ({ signal }) => callApi(listApps, { query: { search }, signal }),
    select: ({ apps }) => apps.slice(0, FOUND_APPS),
    placeholderData: keepPreviousData,
    enabled: search !== "",
  });
}
