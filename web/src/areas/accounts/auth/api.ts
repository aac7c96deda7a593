import {
  type BodyInput,
  type SignUpRole,
  type SocialService,
  login,
  remind,
  signUp,
  socialLogin,
  verifyOtpCode,
} from "@millrace/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

export const sendLogin = (body: BodyInput<typeof login>) => callApi(login, { body });
export const sendSignUp = (body: BodyInput<typeof signUp>) => callApi(signUp, { body });
export const sendRemind = (body: BodyInput<typeof remind>) => callApi(remind, { body });

/** Starts a sign-in through an identity provider: the reply says where to send the browser. */
export const beginSocial = (service: SocialService, query: { role?: SignUpRole; redirect_to?: string }) =>
  callApi(socialLogin, { params: { service }, query, body: {} });

/** Completes a sign-in with its code. Code and request go in the body, since addresses end up in logs. */
export const endSocial = (service: SocialService, body: BodyInput<typeof socialLogin>) =>
  callApi(socialLogin, { params: { service }, query: {}, body });

/** Sends the pending authenticator code. */
export function useVerifyCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callApi(verifyOtpCode, { query: { code } }),
    // Refetch everything that was refused until now.
    onSuccess: () => client.invalidateQueries(),
  });
}
