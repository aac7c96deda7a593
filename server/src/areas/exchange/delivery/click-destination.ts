import { createHmac, timingSafeEqual } from "node:crypto";
import { percentEncode, urlOf, webUrl } from "@millrace/openrtb";
import type { Keyring } from "./secrets.ts";

const MAX_LENGTH = 2048;

/**
 * The query of a click address with a destination, signed for this token. Empty if it is not a web address. The destination is
 * written as a redirect's header can hold it: in ASCII, and without control characters.
 */
export function signedDestination(keyring: Keyring, clickToken: string, url: string): string {
  const address = webUrl(urlOf(url)?.href ?? "");
  if (address === undefined || address.length > MAX_LENGTH) return "";
  return `&to=${percentEncode(address)}&s=${signatureOf(keyring.current.destination, clickToken, address)}`;
}

/** The destination if we have signed it for this token, so that a click address cannot be changed to lead elsewhere. */
export function openDestination(keyring: Keyring, clickToken: string, url: string, signature: string): string | null {
  const key = keyring.byId.get(clickToken.slice(0, Math.max(0, clickToken.indexOf("."))));
  if (!key || webUrl(url) === undefined) return null;
  const expected = Buffer.from(signatureOf(key.destination, clickToken, url));
  const claimed = Buffer.from(signature);
  return claimed.length === expected.length && timingSafeEqual(claimed, expected) ? url : null;
}

const signatureOf = (key: Keyring["device"], token: string, url: string) =>
  createHmac("sha256", key).update(`${token}\n${url}`).digest("base64url").slice(0, 22);
