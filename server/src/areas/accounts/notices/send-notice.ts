import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, composeMail, sentBecause } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";
import { sendMail } from "../mails/send-mail.ts";
import { findUserById } from "../people-store.ts";

const NOT_YOU =
  "If it was not you, someone else has access to your account: reset your password on the recovery page now, and contact us.";

const NOTICES = {
  authenticator_on: {
    title: "Your authenticator is on",
    lines: [
      "Signing in to your account and setting a new password now also require a code from your authenticator.",
      "If it was not you, someone else has access to your account and to these codes: contact us now.",
    ],
  },
  authenticator_off: {
    title: "Your authenticator is off",
    lines: ["Signing in to your account no longer requires a code. The recovery codes are no longer valid.", NOT_YOU],
  },
  social_linked: {
    title: "An identity provider was linked to your account",
    lines: [
      "You can now sign in with your account at that identity provider. Your profile shows which one it is.",
      `${NOT_YOU} Unlink the identity provider in your profile: a new password alone does not remove this way to sign in.`,
    ],
  },
  social_unlinked: {
    title: "An identity provider was removed from your account",
    lines: ["You can no longer sign in with your account at that identity provider.", NOT_YOU],
  },
  access_token_made: {
    title: "An access token was created for your account",
    lines: [
      "Anyone who has it can read your reports and statistics. An earlier token is no longer valid.",
      `${NOT_YOU} Then revoke the token in your profile: a new password does not revoke it.`,
    ],
  },
  passwords_failed: {
    title: "Many sign-ins to your account failed",
    lines: [
      "Someone entered many wrong passwords with your e-mail. No one signed in with them, and the platform slows such attempts down.",
      "You can sign in as usual in a browser that you have used before. In any other browser you may have to wait, or set a new password on the recovery page, which always works.",
    ],
  },
  codes_failed: {
    title: "Wrong codes were entered with your password",
    lines: [
      "Someone entered your password and then several wrong authenticator codes. No one signed in with them.",
      "If it was not you, someone knows your password: set a new one on the recovery page. Your own codes work there and in a browser that you have used before, and recovery codes work everywhere.",
    ],
  },
  export_ready: {
    title: "Your personal data is ready",
    lines: ["Your data export is ready. You can download it from your profile for seven days.", NOT_YOU],
  },
} as const;

const KINDS = Object.keys(NOTICES) as (keyof typeof NOTICES)[];

/** The user by id: jobs contain no addresses. */
const Notice = z.object({ userId: z.int(), kind: z.literal(KINDS) });

const QUEUE = "mail-notice";

/** Mails a user what happened in their account, once the transaction that did it commits. */
export const sendNotice = (
  { jobs }: Pick<Accounts, "jobs">,
  client: PoolClient,
  notice: z.infer<typeof Notice>,
): Promise<void> => jobs.send(QUEUE, notice, { client });

/** The support page needs a login, which may be the very thing that someone else has taken. */
const contactLine = (page: string, email: string | undefined): string =>
  email === undefined
    ? `You can contact us at ${page}`
    : `You can contact us at ${email}, also if you can no longer sign in, or at ${page}`;

/** The job that mails notices; users deleted in the meantime get none. */
export function defineNotices(accounts: Accounts): void {
  const { jobs, pool, publicUrl, settings } = accounts;
  jobs.define(
    QUEUE,
    Notice,
    async ({ userId, kind }) => {
      const user = await findUserById(pool, userId);
      if (!user) return;
      const mail = composeMail({
        title: NOTICES[kind].title,
        lines: [...NOTICES[kind].lines, contactLine(new URL("/support", publicUrl).href, settings.operator.email)],
        button: { label: "Open my profile", url: new URL("/profile", publicUrl).href },
        footer: sentBecause({ operatorName: settings.operator.name, publicUrl }, "you have a login there"),
      });
      await sendMail(accounts, user.email, mail);
    },
    MAIL_PATIENCE,
  );
}
