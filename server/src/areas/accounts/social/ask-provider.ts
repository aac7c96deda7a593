import type { SocialService } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import * as oidc from "openid-client";
import { returnAddress, type Social } from "./begin-social.ts";
import { failureOf } from "./failure-of.ts";
import { type Identity, hasEmail, readIdentity } from "./identity.ts";

/**
 * Exchanges the code in this request's address for an identity, and checks state, nonce and the ID token (OpenID
 * Connect Core, section 3.1.3). Returns null if the identity provider refuses, times out, or sends anything that fails
 * a check; the log names the failure without the code or the tokens.
 */
export async function askProvider(
  social: Social,
  request: FastifyRequest,
  attempt: { service: SocialService; state: string; nonce: string; verifier: string },
): Promise<Identity | null> {
  const { service } = attempt;
  try {
    const configuration = await social.identityProviders.discover(service);
    const address = new URL(returnAddress(social.publicUrl, service));
    address.search = new URL(request.url, "http://here.invalid").search;
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) return null;
    const tellsMore = !hasEmail(claims) && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = tellsMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return readIdentity(claims.sub, claims, userInfo);
  } catch (error) {
    social.log.warn({ service, ...failureOf(error) }, "a social sign-in failed at its identity provider");
    return null;
  }
}
