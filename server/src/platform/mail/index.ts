export { composeMail, escapeHtml } from "./compose-mail.ts";
export { type Mailer, openMailer } from "./mailer.ts";
export { type KeptMail, findMail, readMailbox } from "./read-mailbox.ts";
