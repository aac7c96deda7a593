import { SOCIAL_LABELS, type SocialService } from "@millrace/contract";
import { type MailText, composeMail, sentBecause } from "../../../platform/mail/index.ts";
import type { AccountsDeps } from "../deps.ts";
import { type Payload, TICKET_HOURS } from "../tickets/ticket-kinds.ts";

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
      `Someone asked to reset the password of your login at ${hostOf(sender)}.`,
      `If it was you, choose a new password within ${hoursText(TICKET_HOURS.reset_pass)}. The link works once, and only the newest link works. You will be signed out everywhere else.`,
      "If it was not you, ignore this mail: your password does not change.",
    ],
    button: { label: "Choose a new password", url },
    footer: footerOf(sender, "your e-mail was entered on the password recovery page"),
  });

export const changePassMail = (sender: Sender, url: string): MailText =>
  composeMail({
    title: "Confirm your new password",
    lines: [
      `A new password was chosen in your profile at ${hostOf(sender)}. Open this link within ${hoursText(TICKET_HOURS.change_pass)} to activate it. You will be signed out everywhere else.`,
      "If it was not you, do not open the link: your old password remains valid. Someone may be signed in as you, so reset your password on the recovery page.",
    ],
    button: { label: "Use the new password", url },
    footer: footerOf(sender, "the password of your login is about to change"),
  });

/** `service` is the identity provider that the sign-up began with, if any; opening the link links it. */
export const signUpMail = (sender: Sender, url: string, service: SocialService | null): MailText =>
  composeMail({
    title: "Open your account",
    lines: [
      `Someone signed up at ${hostOf(sender)} with this e-mail. The link opens the account and signs you in. It works once, within ${hoursText(TICKET_HOURS.sign_up)}.`,
      service === null
        ? "In the browser that signed up, the password chosen there is used. In any other browser, that password is ignored and you choose a new one when you open the account."
        : `In the browser that signed up, your ${SOCIAL_LABELS[service]} account is linked. In any other browser it is not linked, and you choose a password when you open the account.`,
      "If it was not you, someone else entered your e-mail. Do not open the link: without it no account is created, and the data entered is deleted.",
    ],
    button: { label: "Open my account", url },
    footer: footerOf(sender, "your e-mail was entered on the sign-up page"),
  });

export const hasLoginMail = (sender: Sender): MailText =>
  composeMail({
    title: "You already have a login",
    lines: [
      `Someone signed up at ${hostOf(sender)} with this e-mail, but it already has a login. No second login was created, and nothing has changed.`,
      "If it was you, log in as before. If you forgot the password, or never had one, set a new one on the recovery page.",
      "If it was not you, ignore this mail.",
    ],
    button: { label: "Recover my password", url: pageOf(sender, "/password-recovery") },
    footer: footerOf(sender, "your e-mail was entered on the sign-up page"),
  });

type InvitedRole = Payload<"manager">["role"];

const AS_ROLE = {
  manager: "as a manager",
  SUSR: "as an administrator",
  SDEV: "as a developer",
  GST: "as a guest",
} as const satisfies Record<InvitedRole, string>;

interface Invitation {
  accountName: string;
  role: InvitedRole;
  /** The names of chosen apps; null for all of the account's. */
  apps: readonly string[] | null;
}

/** More than these are counted. */
const NAMED_APPS = 5;
const inWords = new Intl.ListFormat("en");

function appsSentence(apps: readonly string[]): string {
  const others = apps.length - NAMED_APPS;
  const named = apps.slice(0, others === 1 ? NAMED_APPS + 1 : NAMED_APPS);
  const rest = apps.length > named.length ? [`${apps.length - named.length} others`] : [];
  return `You will see ${apps.length === 1 ? "the app" : "the apps"} ${inWords.format([...named, ...rest])}.`;
}

export const invitationMail = (sender: Sender, url: string, { accountName, role, apps }: Invitation): MailText =>
  composeMail({
    title: `You are invited ${AS_ROLE[role]}`,
    lines: [
      role === "manager"
        ? `The account "${accountName}" at ${hostOf(sender)} invites you to manage it.`
        : `The account "${accountName}" at ${hostOf(sender)} invites you to work in it ${AS_ROLE[role]}.`,
      ...(apps === null || apps.length === 0 ? [] : [appsSentence(apps)]),
      `The link creates your login, within ${hoursText(TICKET_HOURS.manager)}. You choose its password there: no one else knows it, including the person who invited you.`,
      "If you were not expecting this, do not open the link: without it no login is created.",
    ],
    button: { label: "Accept the invitation", url },
    footer: footerOf(sender, "someone in that account entered your e-mail to invite you"),
  });

export const notInvitedMail = (sender: Sender, accountName: string, role: InvitedRole): MailText =>
  composeMail({
    title: `You could not be invited ${AS_ROLE[role]}`,
    lines: [
      `The account "${accountName}" at ${hostOf(sender)} wanted to invite you ${AS_ROLE[role]}, but your e-mail already has a login, and a login belongs to one account.`,
      "If you want to work in that account, ask for an invitation to another e-mail address. Your login has not changed, and the account was not told that you have one.",
    ],
    footer: footerOf(sender, "someone in that account entered your e-mail to invite you"),
  });
