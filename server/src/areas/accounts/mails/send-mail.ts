import { type MailText, hasMailbox } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";

/** Mails somebody, unless their address is one that nobody has. */
export async function sendMail({ mailer }: Pick<Accounts, "mailer">, to: string, mail: MailText): Promise<void> {
  if (hasMailbox(to)) await mailer.send({ to, ...mail });
}
