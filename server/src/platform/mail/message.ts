import type { SendMailOptions } from "nodemailer";

/** A mail to one person, as HTML and as its twin in plain text. */
export interface Mail {
  /** The bare address. */
  to: string;
  /** The bare address that answers go to; the sender's without one. */
  replyTo?: string;
  /** Where one POST ends mails of this kind: mail programs show it as their own button (RFC 2369, RFC 8058). */
  unsubscribeUrl?: string;
  /** One line; what would break it becomes a space. */
  subject: string;
  text: string;
  html: string;
}

/** Takes mails: an SMTP server, or a folder. */
export interface MailTaker {
  /** Resolves once the mail is taken: by the SMTP server, or by the disk. Rejects within half a minute otherwise. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/**
 * Atoms and a domain, as every sign-up form takes them (RFC 5321, without its quoted forms): no sign that would make two
 * addresses or another header of it.
 */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[^\s\p{Cc}<>()[\]\\,;:@"]+$/u;
const LONGEST_ADDRESS = 254;
/** As many letters as fit an encoded word of 75 signs, be they of four bytes each. */
const WORD_OF_LETTERS = /.{1,11}/gsu;

/** The end of addresses that nobody has (RFC 2606): sub-users sign in with them. */
const NO_MAILBOX = ".invalid";

/** Whether anybody can read what is sent to an address. */
export const hasMailbox = (address: string): boolean => !address.toLowerCase().endsWith(NO_MAILBOX);

/** The mail as nodemailer builds it. Throws RangeError where `to` or `replyTo` is anything but one bare address. */
export function messageOf(mail: Mail, from: string): SendMailOptions {
  return {
    from: senderOf(from),
    to: addressOf(mail.to),
    ...(mail.replyTo !== undefined && { replyTo: addressOf(mail.replyTo) }),
    subject: subjectOf(mail.subject),
    text: mail.text,
    html: mail.html,
    // RFC 3834: answering machines do not answer machines.
    headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(mail.unsubscribeUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

/**
 * A text with a sign of encoded words in it (RFC 2047) is sent as encoded words: left as it is, it would be read as what it
 * looks like.
 */
function subjectOf(subject: string): string {
  const line = oneLine(subject);
  if (!line.includes("=?")) return line;
  return (line.match(WORD_OF_LETTERS) ?? [])
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`)
    .join(" ");
}

/** As an object, so that it is taken as it is and never read as a list. */
function addressOf(address: string): { name: string; address: string } {
  if (address.length > LONGEST_ADDRESS || !ADDRESS.test(address))
    throw new RangeError("The mail has no proper address");
  return { name: "", address };
}

/** `Name <address>` or an address, read by us: a comma in a name would make two senders of it. */
function senderOf(from: string): { name: string; address: string } {
  const named = /^(.*?)\s*<([^<>]+)>$/u.exec(from.trim());
  const name = (named?.[1] ?? "").replace(/^"(.*)"$/, "$1");
  return { name, address: named?.[2] ?? from.trim() };
}

/** A text in one line: line breaks and other control characters become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
