import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isPublicAddress } from "./public-address.ts";

export const CLOSED_ADDRESS = "CLOSED_ADDRESS";

/**
 * Resolves a name as `dns.lookup` does, but fails with the code `CLOSED_ADDRESS` unless all of its addresses are
 * public.
 */
export const publicLookup = ((
  host: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => {
  systemLookup(host, { ...options, all: true }, (error, addresses) => {
    const first = addresses?.[0];
    if (error || !first) return done(error ?? new Error(`${host} has no address`), []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return done(Object.assign(new Error(`${host} is not public`), { code: CLOSED_ADDRESS }), []);
    }
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
}) as typeof systemLookup;
