import { Email, NAME_LENGTH, cleanName } from "@millrace/contract";

/** Who somebody is at a network, as far as it tells. */
export interface Identity {
  /** The network's own name of the person (OpenID Connect `sub`): the one thing of them that stays. */
  subject: string;
  /** In lower case; null where the network tells none, or nothing that is one. */
  email: string | null;
  /** Whether the network has seen that the e-mail is theirs; null where it does not say. */
  emailVerified: boolean | null;
  name: string;
  surname: string;
}

type Claims = Record<string, unknown>;

/**
 * Reads the claims of an ID token, and of the userinfo endpoint where they were asked for (OpenID Connect Core, section
 * 5.1). An e-mail and its `email_verified` are taken from the same place: the one says nothing of the other's. Only `true`
 * verifies, the text "true" does not.
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
