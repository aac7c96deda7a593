import { hashedUuid } from "../hashed-uuid.ts";
import { Problem } from "./problem.ts";

/**
 * The UUID of what an account adds with a key (OnceByKey), by which it is found when it is sent again; undefined without a key.
 * It is hashed with the account, so that no key leads to what is another account's, and nobody chooses a UUID.
 */
export const uuidOfKey = (accountId: number, thing: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : hashedUuid(`millrace ${thing} of account ${accountId} by key ${key}`);

/** Refuses to add something by the key of an earlier call that has added it with other content. Problem `conflict`. */
export function refuseOtherContent(thing: string, isSame: boolean): void {
  if (isSame) return;
  const text = `This ${thing} was already added, with what you had entered before. To change it, open it in the list.`;
  throw new Problem("conflict", text);
}
