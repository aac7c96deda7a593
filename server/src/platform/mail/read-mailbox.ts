import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDir } from "./file-mailbox.ts";
import type { Mail } from "./mailer.ts";
import { parseMessage } from "./parse-message.ts";

/** A mail of the file mailbox. */
export interface KeptMail extends Mail {
  id: string;
  at: Date;
}

const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{16}$/;
const SHOWN = 200;

/** The newest mails of the mailbox, newest first. What is no mail of ours is passed over; without a folder there is none. */
export async function readMailbox(dir: string, { limit = SHOWN } = {}): Promise<KeptMail[]> {
  const mails: KeptMail[] = [];
  for (const id of await mailIds(dir)) {
    if (mails.length === limit) break;
    const mail = await findMail(dir, id);
    if (mail) mails.push(mail);
  }
  return mails;
}

/** One mail; null where there is none of this id, or it cannot be read. */
export async function findMail(dir: string, id: string): Promise<KeptMail | null> {
  const at = timeOf(id);
  if (!at) return null;
  const bytes = await readFile(join(dir, `${id}.eml`)).catch(() => null);
  const message = bytes && parseMessage(bytes);
  return message && { id, at, ...message };
}

/**
 * Takes mails out of the mailbox; resolves to their number. Every mail to one of the addresses and every one that names one,
 * broken ones too; with `naming`, only those to the addresses that name that.
 */
export async function deleteMailOf(dir: string, addresses: readonly string[], naming?: string): Promise<number> {
  const wanted = new Set(addresses.map((address) => address.toLowerCase()));
  if (wanted.size === 0) return 0;
  let deleted = 0;
  for (const id of await mailIds(dir)) {
    const path = join(dir, `${id}.eml`);
    const bytes = await readFile(path).catch(() => null);
    if (!bytes) continue;
    // One that cannot be read goes where it names an address anywhere.
    const message = parseMessage(bytes) ?? { to: "", subject: "", text: bytes.toString() };
    const said = `${message.subject}\n${message.text}`;
    const isTo = wanted.has(message.to.toLowerCase());
    const isMeant = naming === undefined ? isTo || namesOneOf(said, wanted) : isTo && said.includes(naming);
    if (!isMeant) continue;
    await rm(path, { force: true });
    deleted++;
  }
  if (deleted > 0) await syncDir(dir);
  return deleted;
}

function namesOneOf(text: string, addresses: ReadonlySet<string>): boolean {
  for (const address of addresses) if (namesAddress(text, address)) return true;
  return false;
}

/** Whether the address, in lower case, stands in a text on its own, and not as a part of a longer one. */
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
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => name.endsWith(".eml"))
    .map((name) => name.slice(0, -".eml".length))
    .filter((id) => NAME.test(id))
    .sort()
    .reverse();
}

function timeOf(id: string): Date | null {
  const parts = NAME.exec(id);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, ms] = parts;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
