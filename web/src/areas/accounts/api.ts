import { acceptAgreement, logout, returnToAdmin, session } from "@millrace/contract";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { giveWay, isLeft, signInAs } from "../../shared/signed-in-as.ts";
import { postponeTerms, unlessPostponed } from "./postpone-terms.ts";
import { forgetSession, rememberLogin } from "./remembered-login.ts";

const MONEY_REFRESH_MS = 5000;

/** The signed-in user; fails with 401 if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const reply = await callApi(session, { signal });
    // Nothing of the user before may stay on the page, neither what it shows nor what was typed for their account.
    if (!signInAs(reply.uuid)) {
      if (!isLeft()) {
        giveWay();
        location.reload();
      }
      return new Promise<never>(() => undefined);
    }
    rememberLogin(Date.now());
    return unlessPostponed(reply);
  },
  staleTime: MONEY_REFRESH_MS,
});

/** The session; balances are refetched while the page is visible. */
export const useSession = () => useQuery({ ...sessionQuery, refetchInterval: MONEY_REFRESH_MS });

export function useAcceptAgreement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(acceptAgreement, { query: { accept: "now" } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}

/** Postpones agreeing to the terms. */
export function usePostponeAgreement() {
  const client = useQueryClient();
  return (user: string) => {
    postponeTerms(user);
    client.setQueryData(sessionQuery.queryKey, (known) => known && unlessPostponed(known));
  };
}

export const useReturnToAdmin = () => useMutation({ mutationFn: () => callApi(returnToAdmin, {}) });

/** Ends the session. This browser forgets it even if the call fails. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(logout, {}),
    onSettled: () => forgetSession(client),
  });
}
