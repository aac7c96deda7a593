import type { Accounts } from "../deps.ts";
import type { MailText } from "./ticket-mails.ts";

/** The end of addresses that nobody has (RFC 2606): sub-users sign in with them. */
const NO_MAILBOX = ".invalid";

/** Mails somebody, unless their address is one of those that nobody has. */
export async function sendMail(
  { mailer }: Pick<Accounts, "mailer">,
  to: string,
  { subject, text, html }: MailText,
): Promise<void> {
  if (!to.endsWith(NO_MAILBOX)) await mailer.send({ to, subject, text, html });
}
