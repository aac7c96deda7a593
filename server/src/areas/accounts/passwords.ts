import { hash, verify } from "@node-rs/argon2";
import { Problem } from "../../platform/http/problem.ts";

/** OWASP's argon2id setting for interactive sign-in: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password, in PHC string form. Problem `unavailable` while too many wait for theirs. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, ARGON2ID));

let decoy: Promise<string> | undefined;

/**
 * True where the password fits the hash. Without a hash (no such user) the same work is done in vain, so that the time of
 * a refusal does not tell whether an e-mail exists. Problem `unavailable` as above.
 */
export async function fitsPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (passwordHash !== undefined) return inTurn(() => verify(passwordHash, password));
  decoy ??= hash("decoy", ARGON2ID);
  const other = await decoy;
  await inTurn(() => verify(other, password));
  return false;
}

/**
 * Hashing shares its four threads with the disk: a flood of sign-ins must not keep the journal from its syncs, and with
 * them every beacon from its answer. One at a time is thirty sign-ins a second.
 */
const MOST_WAITING = 60;
let busy = false;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy) {
    if (waiting.length >= MOST_WAITING) {
      throw new Problem("unavailable", "Too many people sign in right now. Please try again", { retryAfterSeconds: 2 });
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
  busy = true;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The turn is handed on: nobody who comes in between takes it as well.
    if (next) next();
    else busy = false;
  }
}
