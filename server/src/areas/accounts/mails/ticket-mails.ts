import { SOCIAL_LABELS, type SocialService } from "@millrace/contract";
import { type MailText, composeMail, sentBecause } from "../../../platform/mail/index.ts";
import type { AccountsDeps } from "../deps.ts";
import { TICKET_HOURS } from "../tickets/ticket-kinds.ts";

/** The sender of mails and their origin. */
type Sender = Pick<AccountsDeps, "publicUrl" | "settings">;

const pageOf = ({ publicUrl }: Sender, path: string) => new URL(path, publicUrl).href;
const hostOf = ({ publicUrl }: Sender) => new URL(publicUrl).host;

const footerOf = ({ settings, publicUrl }: Sender, why: string) =>
  sentBecause({ operatorName: settings.operator.name, publicUrl }, why);

const hoursText = (hours: number) =>
  hours === 1 ? "one hour" : hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;

export const resetPassMail = (sender: Sender, url: string): MailText =>
  composeMail({
    title: "Reset your password",
    lines: [
      `Somebody asked to reset the password of your login at ${hostOf(sender)}.`,
      `If it was you, choose a new password within ${hoursText(TICKET_HOURS.reset_pass)}. The link works once, and only the newest one works. You are then signed out everywhere else.`,
      "If it was not you, leave this mail alone: your password stays as it is.",
    ],
    button: { label: "Choose a new password", url },
    footer: footerOf(sender, "your e-mail was entered on the password recovery page"),
  });

export const changePassMail = (sender: Sender, url: string): MailText =>
  composeMail({
    title: "Confirm your new password",
    lines: [
      `A new password was chosen in your profile at ${hostOf(sender)}. It is in force once you open this link, within ${hoursText(TICKET_HOURS.change_pass)}. You are then signed out everywhere else.`,
      "If it was not you, do not open the link: your old password stays in force. Somebody may be signed in as you, so reset your password on the recovery page.",
    ],
    button: { label: "Use the new password", url },
    footer: footerOf(sender, "the password of your login is about to change"),
  });

/** `service` is the identity provider that the sign-up began with, if any; opening the link links it. */
export const signUpMail = (sender: Sender, url: string, service: SocialService | null): MailText =>
  composeMail({
    title: "Open your account",
    lines: [
      `Somebody signed up at ${hostOf(sender)} with this e-mail. The link opens the account and signs you in. It works once, within ${hoursText(TICKET_HOURS.sign_up)}.`,
      service === null
        ? "In the browser that signed up, the password that was chosen there is in force. Anywhere else you choose one when you open the account, and the other is dropped."
        : `In the browser that signed up, your account at ${SOCIAL_LABELS[service]} is linked. Anywhere else it is not: you choose a password when you open the account.`,
      "If it was not you, a stranger typed in your e-mail. Do not open the link: without it there is no account, and what was entered is deleted.",
    ],
    button: { label: "Open my account", url },
    footer: footerOf(sender, "your e-mail was entered on the sign-up page"),
  });

export const hasLoginMail = (sender: Sender): MailText =>
  composeMail({
    title: "You have a login already",
    lines: [
      `Somebody signed up at ${hostOf(sender)} with this e-mail, but it has a login already. No second one was made, and nothing changed.`,
      "If it was you, log in as before. If you do not know the password any more, or never had one, the recovery page gets you a new one.",
      "If it was not you, leave this mail alone.",
    ],
    button: { label: "Recover my password", url: pageOf(sender, "/password-recovery") },
    footer: footerOf(sender, "your e-mail was entered on the sign-up page"),
  });

export const managerMail = (sender: Sender, url: string, accountName: string): MailText =>
  composeMail({
    title: "You are invited as a manager",
    lines: [
      `The account "${accountName}" at ${hostOf(sender)} invites you to manage it.`,
      `The link makes your login, within ${hoursText(TICKET_HOURS.manager)}. You choose its password there: nobody else knows it, also not who invited you.`,
      "If you know nothing of this, do not open the link: without it there is no login.",
    ],
    button: { label: "Accept the invitation", url },
    footer: footerOf(sender, "the account entered your e-mail as a manager's"),
  });

export const notInvitedMail = (sender: Sender, accountName: string): MailText =>
  composeMail({
    title: "An invitation that could not be made",
    lines: [
      `The account "${accountName}" at ${hostOf(sender)} wanted to invite you as a manager, but your e-mail has a login already, and a login belongs to one account.`,
      "If you want to manage that account, ask for an invitation to another e-mail of yours. Nothing has changed in your login, and the account was not told that you have one.",
    ],
    footer: footerOf(sender, "the account entered your e-mail as a manager's"),
  });
