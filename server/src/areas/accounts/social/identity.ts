import { Email, NAME_LENGTH, cleanName } from "@millrace/contract";

/** A person's identity, as reported by an identity provider. */
export interface Identity {
  /** OpenID Connect's `sub`, the only claim that never changes. */
  subject: string;
  /** In lower case; null if missing or malformed. */
  email: string | null;
  /** Whether the identity provider has verified the e-mail; null if it does not say. */
  emailVerified: boolean | null;
  name: string;
  surname: string;
}

type Claims = Record<string, unknown>;

/**
 * Reads the claims of an ID token and, if requested, of the userinfo endpoint (OpenID Connect Core, section 5.1). The
 * e-mail and `email_verified` come from the same document, because each describes only its own. Only the boolean `true`
 * verifies, not the text "true".
 */
export function readIdentity(subject: string, idToken: Claims, userInfo: Claims = {}): Identity {
  const about = hasEmail(idToken) ? idToken : userInfo;
  const email = Email.safeParse(about["email"]).data ?? null;
  const says = about["email_verified"] ?? null;
  const all = { ...userInfo, ...idToken };
  return {
    subject,
    email,
    emailVerified: email === null || says === null ? null : says === true,
    name: asName(all["given_name"]) || asName(all["name"]),
    surname: asName(all["given_name"]) ? asName(all["family_name"]) : "",
  };
}

export const hasEmail = (claims: Claims): boolean => typeof claims["email"] === "string" && claims["email"] !== "";

const asName = (value: unknown): string => (typeof value === "string" ? cleanName(value, NAME_LENGTH.max) : "");
