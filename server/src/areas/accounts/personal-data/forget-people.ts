import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import { z } from "zod";
import { eraseJobs } from "../../../platform/jobs/index.ts";
import type { Accounts } from "../deps.ts";
import type { Erased } from "./erase-account.ts";

const QUEUE = "forget-people";
/** What the addresses in the job are sealed for: they are what is to be gone. */
const SEALED_FOR = "people to be forgotten";
/** Later than the deletion itself, which does the same at once. */
const AFTER_SECONDS = 30;
const POLL_MS = 50;

const Sealed = z.object({ key: z.uuid(), sealed: z.base64() });
const Forgotten = z.object({
  userIds: z.array(z.int()),
  addresses: z.array(z.string()),
  accountName: z.string(),
  invited: z.array(z.string()),
  uuids: z.array(z.string()),
}) satisfies z.ZodType<Erased>;

/**
 * Outside of the deletion's transaction: jobs about the people are taken back, those that run are waited for, and kept mails
 * are deleted, the last ones included. False where jobs still run after `withinMs`.
 */
export async function forgetPeople(
  { pool, mailer }: Pick<Accounts, "pool" | "mailer">,
  { userIds, addresses, accountName, invited, uuids }: Erased,
  withinMs: number,
): Promise<boolean> {
  const about = {
    texts: addresses,
    objects: [...userIds.map((userId) => ({ userId })), ...uuids.map((uuid) => ({ uuid }))],
  };
  const until = performance.now() + withinMs;
  let running = await eraseJobs(pool, about);
  while (running > 0 && performance.now() < until) {
    await pause(POLL_MS);
    running = await eraseJobs(pool, about);
  }
  await mailer.forget(addresses);
  // The mailboxes of others: their invitations name the account, which had its owner's name.
  await mailer.forget(invited, accountName);
  return running === 0;
}

/** With the deletion it is sure that people are forgotten, also where this platform ends before it has done so. */
export const sendForget = (
  { jobs, sealer }: Pick<Accounts, "jobs" | "sealer">,
  client: PoolClient,
  key: string,
  erased: Erased,
) =>
  jobs.send(
    QUEUE,
    { key, sealed: sealer.seal(JSON.stringify(erased), SEALED_FOR).toString("base64") },
    { startAfterSeconds: AFTER_SECONDS, client },
  );

/** Takes that job back once there is nothing left to do for it. */
export const unsendForget = ({ pool }: Pick<Accounts, "pool">, key: string) =>
  eraseJobs(pool, { texts: [], objects: [{ key }] });

/** The job that forgets. */
export function defineForgetting(accounts: Accounts): void {
  const { jobs, sealer } = accounts;
  jobs.define(
    QUEUE,
    Sealed,
    async ({ sealed }) => {
      const erased = Forgotten.parse(JSON.parse(sealer.open(Buffer.from(sealed, "base64"), SEALED_FOR)));
      if (!(await forgetPeople(accounts, erased, 60_000))) throw new Error("Jobs about deleted people still run");
    },
    { retryLimit: 20, retryDelaySeconds: 15 },
  );
}
