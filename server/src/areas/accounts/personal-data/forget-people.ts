import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import { z } from "zod";
import { eraseJobs } from "../../../platform/jobs/index.ts";
import type { Accounts } from "../deps.ts";

/** The erased users, and the pending mail and jobs that may still reach them. */
export interface Erased {
  userIds: number[];
  addresses: string[];
  accountName: string;
  /** E-mails that the account invited, without those of its own users. */
  invited: string[];
  /** The UUIDs of links, exports, support messages and deductions, which jobs refer to. */
  uuids: string[];
}

/** How long a reply waits for running jobs; after that, a job of its own finishes the deletion. */
export const FORGETTING_MS = 5000;

const QUEUE = "forget-people";
/** The sealing purpose of the addresses in the job, which are themselves due for erasure. */
const SEALED_FOR = "people to be forgotten";
/** Later than the deletion itself, which does the same immediately. */
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
 * Runs outside the deletion's transaction: cancels jobs about the users, waits for running ones, and deletes stored
 * mails, including the last ones. Returns false if jobs still run after `withinMs`.
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
  // Other people's mailboxes: their invitations contain the account's name, which is the owner's.
  await mailer.forget(invited, accountName);
  return running === 0;
}

/** Queued with the deletion, so that erasure completes even if this process ends first. */
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

/** Cancels that job once everything is erased. */
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
