import type { SignUpRole, SocialService } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as oidc from "openid-client";
import { networkOf } from "../../../platform/http/network-of.ts";
import type { Throttle } from "../../../platform/http/throttle.ts";
import type { Accounts } from "../deps.ts";
import { NETWORK_RULES } from "./network-rules.ts";
import type { Networks } from "./networks.ts";
import { keepPending } from "./pending-request.ts";

/** What all steps of a social sign-in work with. */
export interface Social extends Accounts {
  networks: Networks;
  socialThrottle: Throttle;
}

export interface BegunSocial {
  service: SocialService;
  /** What a new account is for. */
  role: SignUpRole;
  redirectTo: string | null;
  /** The signed-in user who wants to link, or null for a sign-in. */
  linkUserId: number | null;
}

/** Where a network sends the browser back to; the network compares it letter for letter. */
export const returnAddress = (publicUrl: string, service: SocialService): string =>
  `${publicUrl}/login/${service}/return`;

/**
 * Begins an authorization code flow (OpenID Connect Core, section 3.1) with state, nonce and PKCE (RFC 7636, S256), and
 * returns where to send this browser, which alone can come back from it.
 */
export async function beginSocial(
  social: Social,
  at: { request: FastifyRequest; reply: FastifyReply },
  { service, ...asked }: BegunSocial,
): Promise<string> {
  const configuration = await social.networks.discover(service);
  await social.socialThrottle.take(networkOf(at.request.ip));
  const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const state = await keepPending(social, at, { service, pending: { step: "away", nonce, verifier, ...asked } });
  const { scope, prompt } = NETWORK_RULES[service];
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress(social.publicUrl, service),
    response_type: "code",
    scope,
    ...(prompt !== undefined && { prompt }),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).href;
}
