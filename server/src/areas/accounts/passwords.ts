import { hash, verify } from "@node-rs/argon2";

/** OWASP's argon2id setting for interactive sign-in: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password, in PHC string form. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID);

let decoy: Promise<string> | undefined;

/**
 * True where the password fits the hash. Without a hash (no such user) the same work is done in vain, so that the time of
 * a refusal does not tell whether an e-mail exists.
 */
export async function fitsPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (passwordHash !== undefined) return verify(passwordHash, password);
  decoy ??= hashPassword("decoy");
  await verify(await decoy, password);
  return false;
}
