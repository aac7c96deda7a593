import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { urlOf } from "@millrace/openrtb";
import { isPublicAddress } from "./public-address.ts";

/**
 * Whether an endpoint is in a private network, by its address or what its name resolves to now. A name that cannot be
 * resolved, or that keys are part of, is not: connections to such names are checked when they are made.
 */
export async function isPrivateEndpoint(endpoint: string): Promise<boolean> {
  const host = urlOf(endpoint)?.hostname.replaceAll(/^\[|\]$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => !isPublicAddress(address));
}
