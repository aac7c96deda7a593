import { type RightName, type Session, mayUse } from "@millrace/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

export const SESSION_KEY = ["session"] as const;

/** Who is signed in, as the frame around every page keeps it fresh; nothing is asked for here. */
export function useKnownSession(): Session | undefined {
  const client = useQueryClient();
  return useSyncExternalStore(
    useCallback((changed) => client.getQueryCache().subscribe(changed), [client]),
    () => client.getQueryData<Session>(SESSION_KEY),
  );
}

/** Says whether who is signed in has a right. Nobody has one before the session is known. */
export function useMayUse(): (right: RightName) => boolean {
  const session = useKnownSession();
  return useCallback((right: RightName) => session !== undefined && mayUse(right, session), [session]);
}
