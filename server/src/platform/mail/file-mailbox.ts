import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Clock } from "../clock.ts";
import { writeWhole } from "../files/write-whole.ts";
import { type MailSender, type MailTaker, messageOf, oneLine } from "./message.ts";

const UNFINISHED = ".tmp";

/**
 * Stores mails as files for mail programs: RFC 5322 with HTML and text as multipart/alternative (RFC 2046, 5.1.4), one
 * `.eml` each, with its content as `.json` for programs. Names sort by time; only their owner can read the files.
 */
export async function openFileMailbox(options: MailSender & { dir: string; clock: Clock }): Promise<MailTaker> {
  const { dir, clock } = options;
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Unfinished files of a killed platform.
  for (const name of await readdir(dir)) if (name.endsWith(UNFINISHED)) await rm(join(dir, name), { force: true });
  let lastMs = 0;

  return {
    async send(mail) {
      // Two mails of one millisecond keep their order.
      lastMs = Math.max(clock.now(), lastMs + 1);
      const at = new Date(lastMs);
      const { message } = await transport.sendMail({ ...messageOf(mail, options), date: at });
      const name = `${at.toISOString().replaceAll(/[-:.]/g, "")}-${randomBytes(8).toString("hex")}`;
      if (!Buffer.isBuffer(message)) throw new TypeError("The message was not built as bytes");
      const { attachments = [], ...written } = mail;
      const kept = {
        ...written,
        subject: oneLine(mail.subject),
        links: linksIn(mail.text),
        // Their contents are in the `.eml`.
        attachments: attachments.map((file) => file.name),
        date: at.toISOString(),
      };
      // The `.json` comes first: after a crash in between, a deletion still finds everything about the mail.
      await writeWhole({ dir, name: `${name}.json`, unfinished: UNFINISHED }, `${JSON.stringify(kept, null, 2)}\n`);
      await writeWhole({ dir, name: `${name}.eml`, unfinished: UNFINISHED }, message);
    },
    async close() {
      transport.close();
    },
  };
}

const linksIn = (text: string): string[] => text.match(/https?:\/\/\S+/g) ?? [];
