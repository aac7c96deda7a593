import { login, logout, session } from "@millrace/contract";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { forgetLogin, rememberLogin } from "./remembered-login.ts";

const MONEY_REFRESH_MS = 5000;

/** Who is signed in; fails with 401 where nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const reply = await callApi(session, { signal });
    rememberLogin(Date.now());
    return reply;
  },
  staleTime: MONEY_REFRESH_MS,
});

/** The session, its balances kept fresh while the page is in sight. */
export const useSession = () => useQuery({ ...sessionQuery, refetchInterval: MONEY_REFRESH_MS });

export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string; redirect_to?: string }) => callApi(login, { body }),
    onSuccess: () => {
      // Nothing that somebody else was shown may be seen by who signs in now.
      client.clear();
      rememberLogin(Date.now());
    },
  });
}

/** Ends the session. Whatever the server says, this browser forgets it. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(logout, {}),
    onSettled: () => {
      forgetLogin();
      client.clear();
    },
  });
}
