import type { Body, sendNews as sendNewsCall } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import type { News } from "./deps.ts";
import { BATCH_PEOPLE, NEWS_QUEUE, countPeopleOf, insertNews, reviveMails } from "./news-store.ts";

/**
 * Stores the news and queues one mail job per batch of current subscribers. Returns the number of subscribers. A
 * repeated key is sent only once. Problem `unprocessable` without subscribers.
 */
export async function sendNews(
  { pool, clock, jobs }: News,
  by: By,
  { key, subject, message }: Body<typeof sendNewsCall>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const kept = await insertNews(client, { uuid: key, subject, message, by: by.caller.userId, at });
    if (!kept) return countPeopleOf(client, key);
    const { people } = kept;
    if (people === 0) throw new Problem("unprocessable", "Nobody is subscribed to news");
    await recordAct({ pool: client, clock }, by, { action: "news_sent", subject: key, details: { people } });
    for (let batch = 0; batch * BATCH_PEOPLE < people; batch++)
      await jobs.send(NEWS_QUEUE, { uuid: key, batch }, { client });
    return people;
  });
}

/**
 * Sends the mails again that have failed, or those whose end is unknown; returns how many. Problem `not_found` for news that
 * are not there, `unprocessable` where no such mail is left.
 */
export async function sendNewsAgain(
  { pool, clock, jobs }: News,
  by: By,
  { uuid, state }: { uuid: string; state: "failed" | "unknown" },
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const batches = await reviveMails(client, uuid, state);
    if (!batches) throw new Problem("not_found", "There is no such news mail");
    const people = batches.reduce((sum, { mails }) => sum + mails, 0);
    if (people === 0) throw new Problem("unprocessable", "No such mail is left to send again");
    await recordAct({ pool: client, clock }, by, {
      action: "news_sent_again",
      subject: uuid,
      details: { people, state },
    });
    for (const { batch } of batches) await jobs.send(NEWS_QUEUE, { uuid, batch }, { client });
    return people;
  });
}
