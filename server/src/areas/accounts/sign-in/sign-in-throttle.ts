import { LRUCache } from "lru-cache";
import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** Guesses at passwords are slowed per address, per account, and per both together; there is no permanent lock. */
export interface SignInThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(email: string, address: string): Promise<void>;
  /** A right password clears the pair's count. */
  forgive(email: string, address: string): Promise<void>;
}

const MOST_FAMILIAR = 50_000;
const WINDOW = { windowSeconds: 900 };

/**
 * An account that is guessed at from many addresses is closed to strangers for a while; where its owner has signed in from
 * lately stays open, so that nobody can lock them out.
 */
export function signInThrottle(): SignInThrottle {
  const perAddress = throttle({ tries: 100, ...WINDOW });
  const perPair = throttle({ tries: 10, ...WINDOW });
  const perAccount = throttle({ tries: 100, ...WINDOW });
  const familiar = new LRUCache<string, true>({ max: MOST_FAMILIAR });
  const accountOf = (email: string) => email.toLowerCase();
  const pairOf = (email: string, address: string) => `${accountOf(email)} ${networkOf(address)}`;
  return {
    take: async (email, address) => {
      const pair = pairOf(email, address);
      // One after the other: whom the first stops leaves no trace in the next, whatever e-mails they make up.
      await perAddress.take(networkOf(address));
      await perPair.take(pair);
      if (!familiar.has(pair)) await perAccount.take(accountOf(email));
    },
    forgive: async (email, address) => {
      familiar.set(pairOf(email, address), true);
      await perPair.forgive(pairOf(email, address));
    },
  };
}
