import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { openFileMailbox } from "./file-mailbox.ts";
import type { Mail, MailTaker } from "./message.ts";
import { deleteMailOf } from "./read-mailbox.ts";
import { openSmtpMailer } from "./smtp-mailer.ts";

/** What a mail says. */
export type MailText = Pick<Mail, "subject" | "text" | "html">;

/** Sends mails, and deletes those that were kept as files. */
export interface Mailer extends MailTaker {
  /**
   * Deletes the kept mails to addresses and those that name one of them, or, with `naming`, those to the addresses that name
   * that; resolves to their number. However many addresses there are, each mail is read once.
   */
  forget(addresses: readonly string[], naming?: string): Promise<number>;
}

export interface MailerOptions {
  /** `smtp://user:password@host:port`, or `smtps://`; without one, mails become files in `dir`. */
  smtpUrl: string | undefined;
  /** `Name <address>`, in one line. */
  from: string;
  dir: string;
  log: Log;
  clock?: Clock;
  /** How long one mail may take; the default is 30 s. */
  sendTimeoutMs?: number;
}

/** How patient jobs are that mail: a server that is away for half an hour delays their mails, and loses none. */
export const MAIL_PATIENCE = { retryLimit: 8, retryDelaySeconds: 15, concurrency: 2 } as const;

/** Opens the way that mails go. Nothing is sent yet: a mail server that is away fails the mails, not the start. */
export async function openMailer(options: MailerOptions): Promise<Mailer> {
  const { smtpUrl, from, dir, log, clock = systemClock, sendTimeoutMs = 30_000 } = options;
  // Also with a server: mails from before there was one may lie there.
  const forget = (addresses: readonly string[], naming?: string) => deleteMailOf(dir, addresses, naming);
  if (smtpUrl !== undefined) return { ...openSmtpMailer({ smtpUrl, from, sendTimeoutMs }), forget };
  log.debug({ dir }, "mails are kept as files");
  return { ...(await openFileMailbox({ dir, from, clock })), forget };
}
