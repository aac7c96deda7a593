import { type Reply, explainAuction } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { ApiError, callApi } from "../call-api.ts";

/** An auction with its explanation. */
export type Explained = Reply<typeof explainAuction>;
export type ExplainedImp = Explained["imps"][number];
export type Participant = Explained["participants"][number];

const FRESH_MS = 10_000;

/** The explanation of an auction. The decision is final, but events arrive while the ad is shown. */
export function useAuction(id: string) {
  return useQuery({
    queryKey: ["auction", id],
    queryFn: ({ signal }) => callApi(explainAuction, { params: { id }, signal }),
    staleTime: FRESH_MS,
    // An unknown auction stays unknown.
    retry: (count, error) => !isUnknown(error) && count < 2,
  });
}

/** Whether an auction could not be explained because nothing is kept of it. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
