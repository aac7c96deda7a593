import { APP_NAME_LENGTH, cleanName } from "@millrace/contract";
import { urlOf } from "@millrace/openrtb";

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** A store's name as plain text in one line; empty if no readable text is left. */
export const plainName = (text: string): string =>
  cleanName(text.replaceAll(/<[a-z/!][^<>]*>/gi, " "), APP_NAME_LENGTH);

/** The text of an HTML fragment. */
export function decodeEntities(html: string): string {
  return html.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
  });
}

/**
 * An image's address if it is https and on one of the store's hosts (`.example.com` means all hosts below), else null.
 */
export function logoAt(address: unknown, hosts: readonly string[]): string | null {
  const url = typeof address === "string" && address.length <= 1000 ? urlOf(address) : null;
  if (!url) return null;
  const { protocol, hostname, port, username, password, href } = url;
  const isPlain = protocol === "https:" && port === "" && username === "" && password === "";
  const isTheirs = hosts.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return isPlain && isTheirs ? href : null;
}
