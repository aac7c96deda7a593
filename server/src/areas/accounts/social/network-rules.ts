import type { SocialService } from "@millrace/contract";

interface NetworkRule {
  /** What is asked for. A network refuses scopes that it does not know. */
  scope: string;
  /** Asks the network to let the person choose one of several accounts (OpenID Connect Core, section 3.1.2.1). */
  prompt?: string;
  /** Where codes are exchanged, of a network whose own description leaves it out. */
  tokenEndpoint?: string;
}

/**
 * Where the networks differ. Facebook's description of itself has no token endpoint, though there is one; it calls the
 * profile's scope `public_profile`; and its ID tokens say nothing of whether an e-mail is verified, so that everybody who
 * comes from there proves theirs by a mail of ours.
 */
export const NETWORK_RULES: Record<SocialService, NetworkRule> = {
  google: { scope: "openid email profile", prompt: "select_account" },
  facebook: {
    scope: "openid email public_profile",
    tokenEndpoint: "https://graph.facebook.com/oauth/access_token",
  },
};
