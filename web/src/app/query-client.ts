import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isLoggedOut } from "../shared/call-api.ts";

const RETRY_DELAY_MS = 700;

/** The cache of all calls. A 401 from any of them ends the session. */
export function makeQueryClient(onLoggedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isLoggedOut(error)) onLoggedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
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
