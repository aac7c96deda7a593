import { type RightName, type Session, mayUse } from "@millrace/contract";
import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

export const SESSION_KEY = ["session"] as const;
const SESSION_HASH = hashKey(SESSION_KEY);

/** The current session, kept fresh by the shell; this hook sends no request. */
export function useKnownSession(): Session | undefined {
  const client = useQueryClient();
  return useSyncExternalStore(
    useCallback(
      (changed) =>
        client.getQueryCache().subscribe(({ query }) => {
          // Other queries are added while the components that ask them render, when no component may be updated.
          if (query.queryHash === SESSION_HASH) changed();
        }),
      [client],
    ),
    () => client.getQueryData<Session>(SESSION_KEY),
  );
}

/** Whether the signed-in user has a right; false until the session is loaded. */
export function useMayUse(): (right: RightName) => boolean {
  const session = useKnownSession();
  return useCallback((right: RightName) => session !== undefined && mayUse(right, session), [session]);
}
