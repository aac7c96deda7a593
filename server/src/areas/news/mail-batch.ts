import { z } from "zod";
import { composeMail, isRefusedForGood, sentBecause } from "../../platform/mail/index.ts";
import type { News } from "./deps.ts";
import { NEWS_QUEUE, claimMail, endInterruptedMails, findNews, setMailState } from "./news-store.ts";

/** The news by id, and a batch of its recipients. Jobs contain neither texts nor addresses. */
const Batch = z.object({ uuid: z.uuid(), batch: z.int().min(0) });

/** A half-day outage of the mail server delays news. Mails that wait longer are shown as failed and can be sent again. */
const PATIENCE = { retryLimit: 12, retryDelaySeconds: 15, expireInSeconds: 3600 };

export const defineNewsMails = (news: News): void =>
  news.jobs.define(NEWS_QUEUE, Batch, (batch) => mailBatch(news, batch), PATIENCE);

/**
 * Mails the news to the batch's current subscribers, at most once each, however often the job runs. A mail is marked
 * before it is sent; if the platform is killed in between, the mail is not sent again. Rejects if the mail server is
 * unreachable; the mail then waits for the next run.
 */
export async function mailBatch(news: News, { uuid, batch }: z.infer<typeof Batch>): Promise<void> {
  const { pool, mailer } = news;
  const kept = await findNews(pool, uuid);
  if (!kept) return;
  await endInterruptedMails(pool, kept.id, batch);
  for (;;) {
    const mail = await claimMail(pool, kept.id, batch);
    if (!mail) return;
    const { id, userUuid, email, readsNews } = mail;
    if (userUuid === null || email === null || !readsNews) {
      await setMailState(pool, id, "left_out");
      continue;
    }
    try {
      await mailer.send({ to: email, ...letterOf(news, kept, userUuid) });
    } catch (error) {
      await setMailState(pool, id, isRefusedForGood(error) ? "refused" : "waiting");
      if (isRefusedForGood(error)) continue;
      throw error;
    }
    await setMailState(pool, id, "sent");
  }
}

function letterOf({ publicUrl, operatorName, links }: News, kept: { subject: string; message: string }, uuid: string) {
  const unsubscribeUrl = links.urlFor(uuid);
  const mail = composeMail({
    title: kept.subject,
    lines: kept.message.split(/\r\n|\r|\n/).filter((line) => line.trim() !== ""),
    footer: sentBecause({ operatorName, publicUrl }, "you are subscribed to its news"),
    footerLink: { label: "Unsubscribe", url: unsubscribeUrl },
  });
  return { ...mail, unsubscribeUrl };
}
