import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** Where a try comes from. */
export interface TrySource {
  address: string;
  /** Of a familiar device, or of another proof that this is no stranger; else null. */
  known: string | null;
}

/** Guesses at passwords are slowed per address, per account, and per both together; there is no permanent lock. */
export interface SignInThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(email: string, from: TrySource): Promise<void>;
  /** A right password clears the count of its source. */
  forgive(email: string, from: TrySource): Promise<void>;
}

const WINDOW = { windowSeconds: 900 };

/**
 * An account that is guessed at from many addresses is closed to strangers for a while. A familiar device of its owner has a
 * count of its own, so that nobody can lock them out.
 */
export function signInThrottle(): SignInThrottle {
  const perAddress = throttle({ tries: 100, ...WINDOW });
  const perPair = throttle({ tries: 10, ...WINDOW });
  const perAccount = throttle({ tries: 100, ...WINDOW });
  const perKnown = throttle({ tries: 10, ...WINDOW });
  const pairOf = (email: string, from: string) => `${email.toLowerCase()} ${from}`;
  return {
    take: async (email, { address, known }) => {
      if (known !== null) return perKnown.take(pairOf(email, known));
      // One after the other: whom the first stops leaves no trace in the next, whatever e-mails they make up.
      await perAddress.take(networkOf(address));
      await perPair.take(pairOf(email, networkOf(address)));
      await perAccount.take(email.toLowerCase());
    },
    forgive: async (email, { address, known }) =>
      known === null ? perPair.forgive(pairOf(email, networkOf(address))) : perKnown.forgive(pairOf(email, known)),
  };
}
