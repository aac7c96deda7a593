import { networkOf } from "../../../platform/http/network-of.ts";
import { throttle } from "../../../platform/http/throttle.ts";

/** Who gives a code: whatever proves more than an address has a count of its own. */
export type CodeSource = { address: string } | { device: string } | { link: string } | { session: string };

/** Guesses at a user's code. Recovery codes are outside of it: nobody guesses 80 random bits. */
export interface CodeThrottle {
  /** Counts one try; a Problem `too_many` says when to come back. */
  take(userId: number, from: CodeSource): Promise<void>;
  /** A right code clears the count of its source. */
  forgive(userId: number, from: CodeSource): Promise<void>;
}

const SENTENCE = "Too many wrong codes. Please wait a little and try again";

/**
 * Somebody who knows a password and guesses codes from many addresses closes the account to strangers alone: familiar devices,
 * mailed links and sessions go on with their own counts.
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
