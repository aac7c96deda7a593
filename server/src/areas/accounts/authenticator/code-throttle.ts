import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** The source of a code; anything that proves more than an address is counted separately. */
export type CodeSource = { address: string } | { device: string } | { link: string } | { session: string };

/** Limits guesses at a user's code. Recovery codes are not limited: their 80 random bits cannot be guessed. */
export interface CodeThrottle {
  /** Counts one try; throws Problem `too_many` with the time to wait. */
  take(userId: number, from: CodeSource): Promise<void>;
  /** Clears the count of this source after a right code. */
  forgive(userId: number, from: CodeSource): Promise<void>;
}

const SENTENCE = "Too many wrong codes. Please wait a while and try again";

/**
 * Guesses from many addresses by someone who knows the password lock out only strangers: familiar devices, mailed links
 * and sessions have their own counts.
 */
export function codeThrottle({ perSource = 5, ofStrangers = 50 } = {}): CodeThrottle {
  const sources = throttle({ tries: perSource, windowSeconds: 300 }, SENTENCE);
  const strangers = throttle({ tries: ofStrangers, windowSeconds: 3600 }, SENTENCE);
  return {
    take: async (userId, from) => {
      await sources.take(keyOf(userId, from));
      if ("address" in from) await strangers.take(userId);
    },
    forgive: (userId, from) => sources.forgive(keyOf(userId, from)),
  };
}

function keyOf(userId: number, from: CodeSource): string {
  if ("address" in from) return `${userId} address ${networkOf(from.address)}`;
  const [[kind, value] = ["", ""]] = Object.entries(from);
  return `${userId} ${kind} ${value}`;
}
