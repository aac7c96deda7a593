import type { SocialService } from "@millrace/contract";

interface ProviderRule {
  /** The requested scopes. Identity providers refuse scopes they do not know. */
  scope: string;
  /** Lets the user choose among several accounts (OpenID Connect Core, section 3.1.2.1). */
  prompt?: string;
  /** The token endpoint, if the discovery document lacks it. */
  tokenEndpoint?: string;
}

/**
 * Differences between identity providers. Facebook's discovery document has no token endpoint, although one exists; its
 * scope for the profile is `public_profile`; and its ID tokens have no `email_verified`, so new users from Facebook
 * prove their e-mail by our mail.
 */
export const PROVIDER_RULES: Record<SocialService, ProviderRule> = {
  google: { scope: "openid email profile", prompt: "select_account" },
  facebook: {
    scope: "openid email public_profile",
    tokenEndpoint: "https://graph.facebook.com/oauth/access_token",
  },
};
