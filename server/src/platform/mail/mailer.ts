import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { openFileMailbox } from "./file-mailbox.ts";
import type { Mail, MailSender, MailTaker } from "./message.ts";
import { deleteMailOf } from "./read-mailbox.ts";
import { isRefusedForGood, openSmtpMailer } from "./smtp-mailer.ts";

/** A mail's content. */
export type MailText = Pick<Mail, "subject" | "text" | "html">;

/** Sends mails, and deletes mails stored as files. */
export interface Mailer extends MailTaker {
  /**
   * Deletes the stored mails that are sent to or mention one of the addresses, or, with `naming`, those sent to the
   * addresses that mention that; returns their number. Reads each mail once, however many addresses there are.
   */
  forget(addresses: readonly string[], naming?: string): Promise<number>;
}

export interface MailerOptions extends MailSender {
  /** `smtp://user:password@host:port`, or `smtps://`; if unset, mails become files in `dir`. */
  smtpUrl: string | undefined;
  dir: string;
  log: Log;
  clock?: Clock;
  /** How long one mail may take; the default is 30 s. */
  sendTimeoutMs?: number;
}

/**
 * Retries of jobs that send mails. A mail server that is away for a night delays mails and loses none: some tell of money that was taken,
 * with a time to dispute it, and nobody sends them again. A mail is given up when its recipient is refused after an hour of tries, in which
 * the operator can correct a server that refuses everybody.
 */
export const MAIL_PATIENCE = {
  retryLimit: 12,
  retriesAfter: (error: unknown) => (isRefusedForGood(error) ? 8 : Infinity),
  retryDelaySeconds: 15,
  concurrency: 2,
} as const;

/** Opens the mail transport. Nothing is sent yet: an unreachable mail server fails the mails, not the start. */
export async function openMailer(options: MailerOptions): Promise<Mailer> {
  const { smtpUrl, from, replyTo, dir, log, clock = systemClock, sendTimeoutMs = 30_000 } = options;
  // Also with a server, because files from before it was set may exist.
  const forget = (addresses: readonly string[], naming?: string) => deleteMailOf(dir, addresses, naming);
  if (smtpUrl !== undefined) return { ...openSmtpMailer({ smtpUrl, from, replyTo, sendTimeoutMs }), forget };
  log.debug({ dir }, "mails are stored as files");
  return { ...(await openFileMailbox({ dir, from, replyTo, clock })), forget };
}
