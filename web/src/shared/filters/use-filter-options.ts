import { dashFilters } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../call-api.ts";

const FRESH_MS = 60_000;
/** The clocks of the user and of the server may differ by so much. */
const CLOCKS_MS = 5000;

/** Id-to-label maps of networks, formats, countries and apps, and the selectable dates, anew with each UTC day. */
export function useFilterOptions() {
  return useQuery({
    queryKey: ["dash_filters"],
    queryFn: ({ signal }) => callApi(dashFilters, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: () => DAY_MS - (Date.now() % DAY_MS) + CLOCKS_MS,
  });
}
