import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { openFileMailbox } from "./file-mailbox.ts";
import { deleteMailOf } from "./read-mailbox.ts";
import { openSmtpMailer } from "./smtp-mailer.ts";

/** A mail to one person, as HTML and as its twin in plain text. */
export interface Mail {
  /** The bare address. */
  to: string;
  /** The bare address that answers go to; the sender's without one. */
  replyTo?: string;
  /** One line; what would break it becomes a space. */
  subject: string;
  text: string;
  html: string;
}

/** What a mail says. */
export type MailText = Pick<Mail, "subject" | "text" | "html">;

/** Hands mails on. */
export interface Mailer {
  /** Resolves once the mail is taken: by the SMTP server, or by the disk. Rejects within half a minute otherwise. */
  send(mail: Mail): Promise<void>;
  /**
   * Deletes the kept mails to addresses and those that name one of them, or, with `naming`, those to the addresses that name
   * that; resolves to their number. However many addresses there are, each mail is read once.
   */
  forget(addresses: readonly string[], naming?: string): Promise<number>;
  close(): Promise<void>;
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

/** What takes mails; the rest of a mailer is the same for all. */
export type MailTaker = Pick<Mailer, "send" | "close">;

/** Opens the way that mails go. Nothing is sent yet: a mail server that is away fails the mails, not the start. */
export async function openMailer(options: MailerOptions): Promise<Mailer> {
  const { smtpUrl, from, dir, log, clock = systemClock, sendTimeoutMs = 30_000 } = options;
  // Also with a server: mails from before there was one may lie there.
  const forget = (addresses: readonly string[], naming?: string) => deleteMailOf(dir, addresses, naming);
  if (smtpUrl !== undefined) return { ...openSmtpMailer({ smtpUrl, from, sendTimeoutMs }), forget };
  log.debug({ dir }, "mails are kept as files");
  return { ...(await openFileMailbox({ dir, from, clock })), forget };
}
