import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isLoggedOut } from "../shared/call-api.ts";
import type { SessionEnd } from "./session-end.ts";

const RETRY_DELAY_MS = 700;

/** The cache of all calls. It reports calls that are refused because nobody is signed in, and calls that succeed. */
export function makeQueryClient({ refused, answered }: SessionEnd): QueryClient {
  const refusedBy = (kind: "query" | "mutation") => (error: unknown) => {
    if (isLoggedOut(error)) refused(kind);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: refusedBy("query"), onSuccess: answered }),
    mutationCache: new MutationCache({ onError: refusedBy("mutation"), onSuccess: answered }),
    defaultOptions: {
      queries: {
        // A retry helps after a dropped connection or a restart, never after a refusal.
        retry: (failures, error) =>
          failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: true,
        staleTime: 30_000,
      },
    },
  });
}
