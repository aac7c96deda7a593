import { listApps } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";

// Separate from the area's other calls, because the shell of every page includes the search.

const FOUND_APPS = 8;

/** The first few apps whose name contains the text. Sends no request without text. */
export function useAppSearch(search: string) {
  return useQuery({
    placeholderData: keepPreviousData,
    enabled: search !== "",
    queryKey: ["apps", "search", search],
    queryFn: ({ signal }) => callApi(listApps, { query: { search }, signal }),
    select: ({ apps }) => apps.slice(0, FOUND_APPS),
  });
}
