import { adminApps } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";

const FOUND_APPS = 8;

/** For admins: the first few apps of all accounts whose name, bundle or owner holds the text. Nothing is asked for without one. */
export function useAllAccountsSearch(search: string) {
  return useQuery({
    queryKey: ["apps", "search everywhere", search],
    queryFn: ({ signal }) => callApi(adminApps, { query: { search }, signal }),
    select: ({ apps }) => apps.slice(0, FOUND_APPS),
    placeholderData: keepPreviousData,
    enabled: search !== "",
  });
}
