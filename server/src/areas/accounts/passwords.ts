import { hash, verify } from "@node-rs/argon2";
import { Problem } from "../../platform/http/problem.ts";

/** OWASP's argon2id setting for interactive sign-in: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The two kinds of callers: `known` has a session, a mailed link or a familiar device, and goes first. A flood of
 * strangers fills only its own places. Everybody can become known, so strangers have turns of their own.
 */
export type Lane = "known" | "stranger";

/** The hash of a password, in PHC string form. Problem `unavailable` while the queue is full. */
export const hashPassword = (password: string, lane: Lane = "known"): Promise<string> =>
  inTurn(lane, () => hash(password, ARGON2ID));

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (no such user) the same work is done, so that timing does not
 * reveal whether an e-mail exists. Problem `unavailable` while the queue is full.
 */
export async function fitsPassword(
  passwordHash: string | undefined,
  password: string,
  lane: Lane = "known",
): Promise<boolean> {
  if (passwordHash !== undefined) return inTurn(lane, () => verify(passwordHash, password));
  decoy ??= hash("decoy", ARGON2ID);
  const other = await decoy;
  await inTurn(lane, () => verify(other, password));
  return false;
}

/**
 * Hashing shares four threads with disk I/O. A flood of sign-ins must not delay the journal's syncs, on which every
 * beacon's reply waits. One hash at a time allows thirty sign-ins a second.
 */
const MOST_WAITING = { known: 60, stranger: 60 } as const;
let busy = false;
const waiting: Record<Lane, (() => void)[]> = { known: [], stranger: [] };
/** Of so many turns one goes to a stranger, if one waits. */
const STRANGERS_EVERY = 4;
let turn = 0;

/** Takes the next caller out of the queue. */
function takeNext(): (() => void) | undefined {
  turn = (turn + 1) % STRANGERS_EVERY;
  const [first, second] = turn === 0 ? [waiting.stranger, waiting.known] : [waiting.known, waiting.stranger];
  return first.shift() ?? second.shift();
}

async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
  if (busy) {
    if (waiting[lane].length >= MOST_WAITING[lane]) {
      throw new Problem("unavailable", "Too many people are signing in right now. Please try again", {
        retryAfterSeconds: 2,
      });
    }
    await new Promise<void>((resolve) => {
      waiting[lane].push(resolve);
    });
  }
  busy = true;
  try {
    return await work();
  } finally {
    const next = takeNext();
    // The slot is handed over directly, so that no newcomer takes it too.
    if (next) next();
    else busy = false;
  }
}
