import {
  type BodyInput,
  type SignUpRole,
  type SocialService,
  acceptAgreement,
  checkTicket,
  login,
  logout,
  redeemTicket,
  remind,
  returnToAdmin,
  session,
  signUp,
  socialLogin,
  verifyOtpCode,
} from "@millrace/contract";
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

export const sendLogin = (body: BodyInput<typeof login>) => callApi(login, { body });
export const sendSignUp = (body: BodyInput<typeof signUp>) => callApi(signUp, { body });
export const sendRemind = (body: BodyInput<typeof remind>) => callApi(remind, { body });

/** Starts a sign-in through an identity provider: the reply says where to send the browser. */
export const beginSocial = (service: SocialService, query: { role?: SignUpRole; redirect_to?: string }) =>
  callApi(socialLogin, { params: { service }, query, body: {} });

/** Completes a sign-in with its code. Code and request go in the body, since addresses end up in logs. */
export const endSocial = (service: SocialService, body: BodyInput<typeof socialLogin>) =>
  callApi(socialLogin, { params: { service }, query: {}, body });

export const useTicket = (ticket: string) =>
  useQuery({
    queryKey: ["ticket", ticket],
    queryFn: ({ signal }) => callApi(checkTicket, { params: { ticket }, signal }),
    // Fetched once: only this page changes the ticket's state.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

export const sendTicket = (ticket: string, body: BodyInput<typeof redeemTicket>) =>
  callApi(redeemTicket, { params: { ticket }, body });

/** Sends the pending authenticator code. */
export function useVerifyCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callApi(verifyOtpCode, { query: { code } }),
    // Refetch everything that was refused until now.
    onSuccess: () => client.invalidateQueries(),
  });
}

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
