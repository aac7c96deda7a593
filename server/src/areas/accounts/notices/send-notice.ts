import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, composeMail, sentBecause } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";
import { sendMail } from "../mails/send-mail.ts";
import { findUserById } from "../people-store.ts";

const NOT_YOU =
  "If it was not you, somebody else is in your account: reset your password on the recovery page at once, and write to us.";

const NOTICES = {
  authenticator_on: {
    title: "Your authenticator is on",
    lines: [
      "From now on, signing in to your account asks for a code of your authenticator as well, and so does a new password.",
      "If it was not you, somebody else is in your account and has these codes: write to us at once.",
    ],
  },
  authenticator_off: {
    title: "Your authenticator is off",
    lines: [
      "From now on, signing in to your account asks for no code any more. The recovery codes are void as well.",
      NOT_YOU,
    ],
  },
  social_linked: {
    title: "An identity provider was linked to your account",
    lines: [
      "You can now sign in with your account at that identity provider. Your profile shows which one it is.",
      `${NOT_YOU} Unlink the identity provider in your profile: a new password alone does not close this way in.`,
    ],
  },
  social_unlinked: {
    title: "An identity provider was removed from your account",
    lines: ["You can no longer sign in with your account at that identity provider.", NOT_YOU],
  },
  access_token_made: {
    title: "An access token was made for your account",
    lines: [
      "Whoever has it can read your reports and statistics. A token that was there before is void.",
      `${NOT_YOU} Then revoke the token in your profile: a new password alone leaves it as it is.`,
    ],
  },
  passwords_failed: {
    title: "Many sign-ins to your account failed",
    lines: [
      "Somebody gave many wrong passwords with your e-mail. Nobody got in by them, and the platform slows them down.",
      "You can sign in as ever in a browser that you have used before. Anywhere else you may have to wait, or choose a new password on the recovery page, which always works.",
    ],
  },
  codes_failed: {
    title: "Wrong codes were given with your password",
    lines: [
      "Somebody signed in with your password and then gave several wrong codes of the authenticator. Nobody got in by them.",
      "If it was not you, somebody knows your password: choose a new one on the recovery page. Your own codes work there and in a browser that you have used before, and recovery codes work everywhere.",
    ],
  },
  export_ready: {
    title: "Your personal data is ready",
    lines: ["What is kept about you was gathered. You can download it from your profile for seven days.", NOT_YOU],
  },
} as const;

const KINDS = Object.keys(NOTICES) as (keyof typeof NOTICES)[];

/** The person by id: no address rests in a job. */
const Notice = z.object({ userId: z.int(), kind: z.literal(KINDS) });

const QUEUE = "mail-notice";

/** Mails a user what happened in their account, once the transaction that did it commits. */
export const sendNotice = (
  { jobs }: Pick<Accounts, "jobs">,
  client: PoolClient,
  notice: z.infer<typeof Notice>,
): Promise<void> => jobs.send(QUEUE, notice, { client });

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
        lines: [...NOTICES[kind].lines, `You reach us at ${new URL("/support", publicUrl).href}`],
        button: { label: "Open my profile", url: new URL("/profile", publicUrl).href },
        footer: sentBecause({ operatorName: settings.operator.name, publicUrl }, "you have a login there"),
      });
      await sendMail(accounts, user.email, mail);
    },
    MAIL_PATIENCE,
  );
}
