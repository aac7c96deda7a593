import { readMailbox } from "../../server/src/platform/mail/index.ts";
import type { Platform } from "./start-platform.ts";

const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** The address that the newest mail to somebody links to, awaited: jobs send mails. With `after`, a link that is not that one. */
export async function mailedLink({ mailDir }: Platform, email: string, after?: string): Promise<string> {
  const until = Date.now() + WITHIN_MS;
  while (Date.now() < until) {
    const mail = (await readMailbox(mailDir)).find(({ to, text }) => to === email && text.includes("/ticket/"));
    const link = mail && /\S+\/ticket\/[\w-]+/.exec(mail.text)?.[0];
    if (link !== undefined && link !== after) return link;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`No mail with a link came to ${email}`);
}
