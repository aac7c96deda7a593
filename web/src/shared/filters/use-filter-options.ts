import { dashFilters } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../call-api.ts";

const FRESH_MS = 60_000;

/** Id-to-label maps of networks, formats, countries and apps, and the selectable dates. */
export function useFilterOptions() {
  return useQuery({
    queryKey: ["dash_filters"],
    queryFn: ({ signal }) => callApi(dashFilters, { signal }),
    staleTime: FRESH_MS,
  });
}
