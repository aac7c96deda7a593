import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { namesIn, syncDir } from "../files/folders.ts";

/** The JSON that the file mailbox writes for each mail. */
const MailFile = z.object({
  to: z.string(),
  replyTo: z.string().optional(),
  unsubscribeUrl: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** The addresses in the text. */
  links: z.array(z.string()),
  /** The names of the attached files. */
  attachments: z.array(z.string()).default([]),
  date: z.iso.datetime(),
});

/** A mail of the file mailbox. */
export interface KeptMail extends z.infer<typeof MailFile> {
  id: string;
}

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{16}$/;
const ENDINGS = [".json", ".eml"];
const SHOWN = 200;

/** The newest mails of the mailbox, newest first. Other files are skipped; a missing folder is an empty mailbox. */
export async function readMailbox(dir: string, { limit = SHOWN } = {}): Promise<KeptMail[]> {
  const mails: KeptMail[] = [];
  for (const id of await mailIds(dir)) {
    if (mails.length === limit) break;
    const mail = await findMail(dir, id);
    if (mail) mails.push(mail);
  }
  return mails;
}

/** One mail; null if it is unknown or unreadable. */
export async function findMail(dir: string, id: string): Promise<KeptMail | null> {
  if (!NAME.test(id)) return null;
  try {
    return { id, ...MailFile.parse(JSON.parse(await readFile(join(dir, `${id}.json`), "utf8"))) };
  } catch {
    return null;
  }
}

/**
 * Deletes mails from the mailbox and returns their number: every mail sent to one of the addresses or mentioning one,
 * including broken ones; with `naming`, only those sent to the addresses that mention that.
 */
export async function deleteMailOf(dir: string, addresses: readonly string[], naming?: string): Promise<number> {
  const recipients = new Set(addresses.map((address) => address.toLowerCase()));
  if (recipients.size === 0) return 0;
  let deleted = 0;
  for (const id of await mailIds(dir)) {
    const paths = ENDINGS.map((ending) => join(dir, `${id}${ending}`));
    // An unreadable mail is deleted if it mentions an address anywhere.
    const message = (await findMail(dir, id)) ?? { to: "", subject: "", text: await sourceOf(paths) };
    const content = `${message.subject}\n${message.text}`;
    const isTo = recipients.has(message.to.toLowerCase());
    const isMatch = naming === undefined ? isTo || mentionsAny(content, recipients) : isTo && content.includes(naming);
    if (!isMatch) continue;
    for (const path of paths) await rm(path, { force: true });
    deleted++;
  }
  if (deleted > 0) await syncDir(dir);
  return deleted;
}

async function sourceOf(paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")))).join("\n");
}

function mentionsAny(text: string, addresses: ReadonlySet<string>): boolean {
  for (const address of addresses) if (namesAddress(text, address)) return true;
  return false;
}

/** Whether a text contains the address, in lower case, and not only as a part of a longer one. */
function namesAddress(text: string, address: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(address); at !== -1; at = lower.indexOf(address, at + 1)) {
    const before = lower.slice(Math.max(0, at - 1), at);
    const after = lower.slice(at + address.length, at + address.length + 2);
    if (!/[\w.+%-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}

/** Newest first. */
async function mailIds(dir: string): Promise<string[]> {
  const names = await namesIn(dir);
  const ids = names.flatMap((name) =>
    ENDINGS.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, -ending.length)),
  );
  return [...new Set(ids)]
    .filter((id) => NAME.test(id))
    .sort()
    .reverse();
}
