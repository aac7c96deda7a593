import type { KeptMail } from "../../../platform/mail/index.ts";

/** Waits for `count` mails to an address and returns all of them, newest first. */
export async function mailsTo(
  mails: () => Promise<KeptMail[]>,
  address: string,
  count: number,
  withinMs = 10_000,
): Promise<KeptMail[]> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = (await mails()).filter((mail) => mail.to === address);
    if (found.length >= count) return found;
    if (Date.now() > until) throw new Error(`${found.length} of ${count} mails to ${address} came`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
