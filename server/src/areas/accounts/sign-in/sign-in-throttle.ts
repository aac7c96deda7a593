import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** The source of a try. */
export interface TrySource {
  address: string;
  /** Identifies a familiar device or other proof of a known user; null for strangers. */
  known: string | null;
}

/** Limits password guesses per address, per account, and per pair of both; nothing locks an account permanently. */
export interface SignInThrottle {
  /** Counts one try; throws Problem `too_many` with the time to wait. */
  take(email: string, from: TrySource): Promise<void>;
  /** Clears the count of wrong passwords from this source after a right one. */
  forgive(email: string, from: TrySource): Promise<void>;
}

const WINDOW = { windowSeconds: 900 };

/**
 * An account that many addresses guess at is closed to strangers for a while. Its owner's familiar devices
 * have their own counts and stay open. Each check of a password takes the only hasher, and known users go first. So
 * their right passwords count too, per user and, for an office behind one address, generously per address.
 */
export function signInThrottle(): SignInThrottle {
  const perAddress = throttle({ tries: 100, ...WINDOW });
  const perPair = throttle({ tries: 10, ...WINDOW });
  const perAccount = throttle({ tries: 100, ...WINDOW });
  const perKnown = throttle({ tries: 10, ...WINDOW });
  const perKnownUser = throttle({ tries: 100, ...WINDOW });
  const perKnownAddress = throttle({ tries: 300, ...WINDOW });
  const pairOf = (email: string, from: string) => `${email.toLowerCase()} ${from}`;
  return {
    take: async (email, { address, known }) => {
      // In sequence: a try that the first limit stops leaves no trace in the next, whatever e-mails it makes up.
      if (known !== null) {
        await perKnown.take(pairOf(email, known));
        await perKnownUser.take(email.toLowerCase());
        return perKnownAddress.take(networkOf(address));
      }
      await perAddress.take(networkOf(address));
      await perPair.take(pairOf(email, networkOf(address)));
      await perAccount.take(email.toLowerCase());
    },
    forgive: async (email, { address, known }) =>
      known === null ? perPair.forgive(pairOf(email, networkOf(address))) : perKnown.forgive(pairOf(email, known)),
  };
}
