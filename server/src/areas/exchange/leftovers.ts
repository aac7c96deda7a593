import { join } from "node:path";
import { moveJournal } from "../../platform/journal/move-journal.ts";
import { awayProblem, type SharedRedis } from "../../platform/redis/shared-redis.ts";
import { settleClaimsOf } from "./beacons/restore-events.ts";
import { ANSWER_TABLES } from "./notices/open-answers.ts";
import { NOTICE_TABLES } from "./notices/notice-outbox.ts";
import { AD_LIFE_MS } from "./shared-state.ts";

/** Hands the undelivered notices of a process that does not run any more to another one, which must not run yet. */
export async function moveNotices(fromDir: string, toDir: string): Promise<void> {
  await moveJournal(fromDir, toDir, NOTICE_TABLES);
  await moveJournal(answersIn(fromDir), answersIn(toDir), ANSWER_TABLES);
}

/** Where open answers are stored, beside the notices. */
export const answersIn = (noticesDir: string): string => join(noticesDir, "answers");

/** Settles the claims of a process that does not run any more; `recentEventIds` has the events of its journal. */
export async function settleLeftClaims(
  process: string,
  redis: SharedRedis,
  recentEventIds: (sinceMs: number) => AsyncIterable<string>,
  nowMs: number,
): Promise<void> {
  const { epoch } = redis;
  if (!epoch) throw awayProblem();
  const storedIds = () => recentEventIds(nowMs - AD_LIFE_MS);
  const stopping = new AbortController().signal;
  await settleClaimsOf(process, () => false, { redis, lifeMs: AD_LIFE_MS, storedIds, stopping }, epoch);
}
