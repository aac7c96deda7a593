import { createHmac } from "node:crypto";
import { isSecret } from "../../platform/secrets/token.ts";

/** Signed links that unsubscribe a user from news. They never expire, because mails are kept. */
export interface UnsubscribeLinks {
  urlFor(userUuid: string): string;
  /** The UUID of the link's user; null if this platform did not sign it. */
  read(link: string): string | null;
}

const LINK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/;

/** The newest secret signs. Links signed with any of them are valid, so links in old mails survive a rotation. */
export function unsubscribeLinks(secrets: readonly string[], publicUrl: string): UnsubscribeLinks {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("There is no secret to sign links with");
  return {
    urlFor: (userUuid) => new URL(`/unsubscribe/${userUuid}.${signature(newest, userUuid)}`, publicUrl).href,
    read: (link) => {
      const [, uuid, sent] = LINK.exec(link) ?? [];
      if (uuid === undefined || sent === undefined) return null;
      return secrets.some((secret) => isSecret(sent, signature(secret, uuid))) ? uuid : null;
    },
  };
}

/** Signs with its own purpose, so that no other signature of the secret is valid as a link. */
const signature = (secret: string, userUuid: string): string =>
  createHmac("sha256", secret).update(`millrace unsubscribe ${userUuid}`).digest("base64url");
