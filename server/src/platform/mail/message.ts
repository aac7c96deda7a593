import type { SendMailOptions } from "nodemailer";

/** A mail to one person, as HTML and as plain text. */
export interface Mail {
  /** The bare address. */
  to: string;
  /** The bare address for replies; by default the operator's, or the sender's if there is none. */
  replyTo?: string;
  /** Where one POST ends mails of this kind: mail programs show it as their own button (RFC 2369, RFC 8058). */
  unsubscribeUrl?: string;
  /** One line; what would break it becomes a space. */
  subject: string;
  text: string;
  html: string;
  attachments?: readonly Attachment[];
}

/** A file of a mail. */
export interface Attachment {
  name: string;
  content: Buffer;
}

/** Delivers mails to an SMTP server or a folder. */
export interface MailTaker {
  /**
   * Resolves once the SMTP server has accepted the mail or its file is on disk. Otherwise rejects within half a minute.
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/**
 * Atoms and a domain, as sign-up forms accept them (RFC 5321 without quoted forms): no character that could form a
 * second address or a header.
 */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[^\s\p{Cc}<>()[\]\\,;:@"]+$/u;
const LONGEST_ADDRESS = 254;
/** The number of characters that fit an encoded word of 75 characters, even at four bytes each. */
const WORD_OF_LETTERS = /.{1,11}/gsu;

/** The domain of made-up addresses (RFC 2606), with which sub-users sign in. */
const NO_MAILBOX = ".invalid";

/** Whether mail to an address can reach anyone. */
export const hasMailbox = (address: string): boolean => !address.toLowerCase().endsWith(NO_MAILBOX);

/** Whom mails come from, as `Name <address>` in one line, and the bare address that takes the replies to them, if it is another one. */
export interface MailSender {
  from: string;
  replyTo?: string | undefined;
}

/** The mail in nodemailer's form. Throws RangeError if `to` or `replyTo` is not a single bare address. */
export function messageOf(mail: Mail, sender: MailSender): SendMailOptions {
  const replyTo = mail.replyTo ?? sender.replyTo;
  return {
    from: senderOf(sender.from),
    to: addressOf(mail.to),
    ...(replyTo !== undefined && { replyTo: addressOf(replyTo) }),
    subject: subjectOf(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: (mail.attachments ?? []).map(({ name, content }) => ({ filename: name, content })),
    // RFC 3834: suppresses automatic replies.
    headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(mail.unsubscribeUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

/** A text that contains the marks of encoded words (RFC 2047) is encoded itself, so that it is not decoded. */
function subjectOf(subject: string): string {
  const line = oneLine(subject);
  if (!line.includes("=?")) return line;
  return (line.match(WORD_OF_LETTERS) ?? [])
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`)
    .join(" ");
}

/** As an object, so that nodemailer does not parse it as a list. */
function addressOf(address: string): { name: string; address: string } {
  if (address.length > LONGEST_ADDRESS || !ADDRESS.test(address)) throw new RangeError("The mail has no valid address");
  return { name: "", address };
}

/** `Name <address>` or an address, parsed here because a comma in a name would make two senders of it. */
function senderOf(from: string): { name: string; address: string } {
  const named = /^(.*?)\s*<([^<>]+)>$/u.exec(from.trim());
  const name = (named?.[1] ?? "").replace(/^"(.*)"$/, "$1");
  return { name, address: named?.[2] ?? from.trim() };
}

/** A text in one line: line breaks and other control characters become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
