import { type MailText, hasMailbox } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";

/** Sends a mail, unless the address is a made-up one. */
export async function sendMail({ mailer }: Pick<Accounts, "mailer">, to: string, mail: MailText): Promise<void> {
  if (hasMailbox(to)) await mailer.send({ to, ...mail });
}
