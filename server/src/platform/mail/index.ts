export { composeMail, escapeHtml, type MailContent } from "./compose-mail.ts";
export { type Mail, type Mailer, openMailer } from "./mailer.ts";
export { deleteMailTo, findMail, readMailbox, type KeptMail } from "./read-mailbox.ts";
