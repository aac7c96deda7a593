import { createHmac } from "node:crypto";
import { isSecret } from "../../platform/secrets/token.ts";

/** The parameters of a postback, decoded. */
export type PostbackParams = ReadonlyMap<string, string>;

/**
 * What a postback's signature signs: all parameters but itself, as `name=value`, both percent-encoded as by `encodeURIComponent`,
 * ordered by name and joined by `&`.
 */
export const signedText = (params: PostbackParams): string =>
  [...params]
    .filter(([name]) => name !== "signature")
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");

/** HMAC-SHA256 in hexadecimal. */
export const signatureOf = (params: PostbackParams, secret: string): string =>
  createHmac("sha256", secret).update(signedText(params)).digest("hex");

/** Whether a postback has the secret, or a signature that was made with it. Takes the same time whatever is wrong. */
export function isSigned(params: PostbackParams, secret: string): boolean {
  const [sent, signature] = [params.get("secret"), params.get("signature")];
  if (signature !== undefined) return isSecret(signature.toLowerCase(), signatureOf(params, secret));
  return sent !== undefined && isSecret(sent, secret);
}
