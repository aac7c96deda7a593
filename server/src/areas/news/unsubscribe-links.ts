import { createHmac } from "node:crypto";
import { isSecret } from "../../platform/secrets/token.ts";

/** Links that end one person's news mails. They are signed, and good for as long as the mail is kept. */
export interface UnsubscribeLinks {
  urlFor(userUuid: string): string;
  /** Whose link it is; null for one that this platform has not signed. */
  read(link: string): string | null;
}

const LINK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/;

/** The newest secret signs, and links of every one are good, so that those in old mails outlive a rotation. */
export function unsubscribeLinks(secrets: readonly string[], publicUrl: string): UnsubscribeLinks {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("There is no secret to sign links with");
  return {
    urlFor: (userUuid) => new URL(`/unsubscribe/${userUuid}.${signature(newest, userUuid)}`, publicUrl).href,
    read: (link) => {
      const [, uuid, given] = LINK.exec(link) ?? [];
      if (uuid === undefined || given === undefined) return null;
      return secrets.some((secret) => isSecret(given, signature(secret, uuid))) ? uuid : null;
    },
  };
}

/** With a purpose of its own, so that nothing else which the secret signs stands for a link. */
const signature = (secret: string, userUuid: string): string =>
  createHmac("sha256", secret).update(`millrace unsubscribe ${userUuid}`).digest("base64url");
