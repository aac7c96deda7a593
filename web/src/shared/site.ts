import { site } from "@millrace/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "./call-api.ts";

/** Who operates this platform and what it offers; it changes with a restart alone. */
const siteQuery = queryOptions({
  queryKey: ["site"],
  queryFn: ({ signal }) => callApi(site, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSite = () => useQuery(siteQuery);
