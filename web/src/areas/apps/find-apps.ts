import { adminApps, listApps } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";

// Separate from the area's other calls, because the shell of every page includes the search.

const FOUND_APPS = 8;

const whenAsked = (search: string) => ({ placeholderData: keepPreviousData, enabled: search !== "" });

/** The first few apps whose name contains the text. Sends no request without text. */
export function useAppSearch(search: string) {
  return useQuery({
    ...whenAsked(search),
    queryKey: ["apps", "search", search],
    queryFn: ({ signal }) => callApi(listApps, { query: { search }, signal }),
    select: ({ apps }) => apps.slice(0, FOUND_APPS),
  });
}

/** The same for admins: apps of all accounts by name, bundle or owner. */
export function useAllAccountsSearch(search: string) {
  return useQuery({
    ...whenAsked(search),
    queryKey: ["apps", "search everywhere", search],
    queryFn: ({ signal }) => callApi(adminApps, { query: { search }, signal }),
    select: ({ apps }) => apps.slice(0, FOUND_APPS),
  });
}
