import { site } from "@millrace/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "./call-api.ts";

/** The platform's operator and features, which change only with a restart. */
const siteQuery = queryOptions({
  queryKey: ["site"],
  queryFn: ({ signal }) => callApi(site, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSite = () => useQuery(siteQuery);
