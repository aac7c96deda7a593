export { type MailContent, composeMail, sentBecause } from "./compose-mail.ts";
export { MAIL_PATIENCE, type MailText, type Mailer, openMailer } from "./mailer.ts";
export { hasMailbox } from "./message.ts";
export { isRefusedForGood } from "./smtp-mailer.ts";
export { type KeptMail, findMail, readMailbox } from "./read-mailbox.ts";
