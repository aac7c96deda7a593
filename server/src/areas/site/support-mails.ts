import { z } from "zod";
import { MAIL_PATIENCE, composeMail, hasMailbox } from "../../platform/mail/index.ts";
import type { SiteDeps } from "./deps.ts";
import { type Asker, findAsker, findEmail } from "./find-asker.ts";

const QUEUE = "support-mail";

const Question = z.object({
  userId: z.int(),
  accountId: z.int(),
  /** The admin who visits the account and writes. */
  visitorId: z.int().nullable(),
  message: z.string(),
  page: z.string(),
});
type Question = z.infer<typeof Question>;

/** Has a person's message mailed to support; resolves when that is sure to happen. */
export type MailSupport = (question: Question) => Promise<void>;

export function supportMails(deps: SiteDeps): MailSupport {
  deps.jobs.define(QUEUE, Question, (question) => mailSupport(deps, question), MAIL_PATIENCE);
  return (question) => deps.jobs.send(QUEUE, question);
}

async function mailSupport({ pool, mailer, settings, publicUrl }: SiteDeps, question: Question): Promise<void> {
  const { email: to, name: operator } = settings.operator;
  const asker = await findAsker(pool, question);
  if (to === undefined || !asker) return;
  const visitor = question.visitorId === null ? undefined : await findEmail(pool, question.visitorId);
  const writer = visitor ?? asker.email;
  const mail = composeMail({
    title: `Support: a message from ${asker.name}`,
    lines: [...factsOf(asker, question, visitor), "Message:", ...quoted(question.message)],
    footer: `Millrace at ${new URL(publicUrl).host} sent this to ${operator}, whose address for support this is.`,
  });
  await mailer.send({ to, ...mail, ...(hasMailbox(writer) && { replyTo: writer }) });
}

const factsOf = (asker: Asker, { page }: Question, visitor: string | undefined): string[] => [
  `From: ${asker.name} <${asker.email}>, ${asker.role}, user ${asker.uuid}`,
  `Account: ${asker.accountName}, ${asker.accountUuid}`,
  `Page: ${page}`,
  ...(visitor === undefined ? [] : [`Written by ${visitor}, an admin who visits the account.`]),
];

/** Every line with a sign before it: whatever is written looks like no fact of ours. */
const quoted = (message: string): string[] => message.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
