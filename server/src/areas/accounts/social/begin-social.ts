import type { SignUpRole, SocialService } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as oidc from "openid-client";
import { networkOf } from "../../../platform/http/network-of.ts";
import type { Throttle } from "../../../platform/http/throttle.ts";
import type { Accounts } from "../deps.ts";
import { PROVIDER_RULES } from "./provider-rules.ts";
import type { IdentityProviders } from "./identity-providers.ts";
import { keepPending } from "./pending-request.ts";

/** What every step of a social sign-in needs. */
export interface Social extends Accounts {
  identityProviders: IdentityProviders;
  socialThrottle: Throttle;
}

export interface BegunSocial {
  service: SocialService;
  /** The side that a new account opens with. */
  role: SignUpRole;
  redirectTo: string | null;
  /** The signed-in user who is linking, or null for a sign-in. */
  linkUserId: number | null;
}

/** The return address of an identity provider, which compares it letter for letter. */
export const returnAddress = (publicUrl: string, service: SocialService): string =>
  `${publicUrl}/login/${service}/return`;

/**
 * Begins an authorization code flow (OpenID Connect Core, section 3.1) with state, nonce and PKCE (RFC 7636, S256).
 * Returns the address to redirect this browser to; only this browser can complete the flow.
 */
export async function beginSocial(
  social: Social,
  at: { request: FastifyRequest; reply: FastifyReply },
  { service, ...options }: BegunSocial,
): Promise<string> {
  const configuration = await social.identityProviders.discover(service);
  await social.socialThrottle.take(networkOf(at.request.ip));
  const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const state = await keepPending(social, at, { service, pending: { step: "away", nonce, verifier, ...options } });
  const { scope, prompt } = PROVIDER_RULES[service];
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
