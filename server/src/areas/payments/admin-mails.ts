import type { PoolClient } from "pg";
import { z } from "zod";
import { MAIL_PATIENCE, type MailContent, composeMail, sentBecause } from "../../platform/mail/index.ts";
import type { BalanceAlertDeps } from "./balance-alerts.ts";

/** The platform's admins; a blocked one gets no mail. */
const ADMINS = `SELECT DISTINCT u.id AS "userId", u.email FROM users u
  JOIN memberships m ON m.user_id = u.id AND m.role = 'admin' WHERE u.blocked_at IS NULL`;

interface AdminMail<About extends z.ZodType> {
  /** The job's name. */
  name: string;
  /** What the mail is about, as its job stores it: ids and numbers, nothing that a person wrote. */
  about: About;
  /** Resolves with null if there is nothing to tell any more. */
  write(about: z.output<About>): Promise<Pick<MailContent, "title" | "lines"> | null>;
  button: { label: string; path: string };
}

/** Defines a mail to the platform's admins. Returns what queues it, to be called in a transaction if it is given a client. */
export function adminMails<About extends z.ZodType>(
  deps: BalanceAlertDeps,
  { name, about: About, write, button }: AdminMail<About>,
): (about: z.output<About>, client?: PoolClient) => Promise<void> {
  const { pool, jobs, mailer, publicUrl } = deps;
  jobs.define(
    name,
    z.object({ userId: z.int(), about: z.unknown() }),
    async ({ userId, about }) => {
      const { rows } = await pool.query<{ email: string }>(`${ADMINS} AND u.id = $1`, [userId]);
      const [admin] = rows;
      const text = await write(About.parse(about));
      if (!admin || !text) return;
      const mail = composeMail({
        ...text,
        button: { label: button.label, url: new URL(button.path, publicUrl).href },
        footer: sentBecause(deps, "you are an administrator there"),
      });
      await mailer.send({ to: admin.email, ...mail });
    },
    MAIL_PATIENCE,
  );
  return async (about, client) => {
    const { rows } = await (client ?? pool).query<{ userId: number }>(ADMINS);
    for (const { userId } of rows) await jobs.send(name, { userId, about }, client ? { client } : {});
  };
}
