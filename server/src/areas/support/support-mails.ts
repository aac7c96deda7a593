import { z } from "zod";
import { MAIL_PATIENCE, composeMail, hasMailbox, sentBecause } from "../../platform/mail/index.ts";
import type { MailSupport, SupportDeps } from "./deps.ts";
import { type DeskRow, findMessage } from "./message-store.ts";

const QUEUE = "support-mail";

/** The job has only the message's id, neither its text nor its writer. */
const Task = z.object({ what: z.enum(["question", "answer"]), uuid: z.uuid() });

export function supportMails(deps: SupportDeps): MailSupport {
  deps.jobs.define(
    QUEUE,
    Task,
    async ({ what, uuid }) => {
      // A message deleted with its writer is not mailed.
      const message = await findMessage(deps.pool, uuid);
      if (message) await (what === "question" ? mailOperator : mailWriter)(deps, message);
    },
    MAIL_PATIENCE,
  );
  return (client, task) => deps.jobs.send(QUEUE, task, { client });
}

async function mailOperator({ mailer, settings, publicUrl }: SupportDeps, message: DeskRow): Promise<void> {
  const { email: to, name: operator } = settings.operator;
  if (to === undefined) return;
  const writer = addressOf(message);
  const mail = composeMail({
    title: `Support: a message from ${message.writerName}`,
    lines: [...factsOf(message), "Message:", ...quoted(message.message)],
    button: { label: "Answer message", url: new URL("/admin/support", publicUrl).href },
    footer: `Millrace at ${new URL(publicUrl).host} sent this to ${operator}, the support address of the platform.`,
  });
  await mailer.send({ to, ...mail, ...(hasMailbox(writer) && { replyTo: writer }) });
}

async function mailWriter({ mailer, settings, publicUrl }: SupportDeps, message: DeskRow): Promise<void> {
  const to = addressOf(message);
  if (message.reply === null || !hasMailbox(to)) return;
  const { name: operatorName, email: replyTo } = settings.operator;
  const mail = composeMail({
    title: "Support has answered your message",
    lines: [...message.reply.split(/\r\n|\r|\n/), "You wrote:", ...quoted(message.message)],
    button: { label: "Open the support page", url: new URL("/support", publicUrl).href },
    footer: sentBecause({ operatorName, publicUrl }, "you wrote to support"),
  });
  await mailer.send({ to, ...mail, ...(replyTo !== undefined && { replyTo }) });
}

/** The person at the keyboard: an impersonating admin, or the writer. */
const addressOf = ({ visitor, writerEmail }: DeskRow): string => visitor ?? writerEmail;

const factsOf = (message: DeskRow): string[] => [
  `From: ${message.writerName} <${message.writerEmail}>, ${message.role}, user ${message.writerUuid}`,
  `Account: ${message.accountName}, ${message.accountUuid}`,
  `Page: ${message.page}`,
  ...(message.visitor === null ? [] : [`Written by ${message.visitor}, an admin switched in to the account.`]),
];

/** Each line is quoted, so that the user's text cannot pass for ours. */
const quoted = (message: string): string[] => message.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
