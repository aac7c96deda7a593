import { randomBytes } from "node:crypto";
import type { BrowserContext } from "playwright-core";
import type { SignUpRole } from "@millrace/contract";
import type { Platform } from "./start-platform.ts";
import { fromOwnAddress } from "./visitor.ts";
import { readMailbox } from "../../server/src/platform/mail/index.ts";

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

/** Somebody with an account that nobody else has, signed in, in a browser of their own. */
export interface NewPerson {
  context: BrowserContext;
  email: string;
  password: string;
  /** The link that opened the account, used up. */
  link: string;
}

const PASSWORD = "first-password";

/** Signs up a new user with the calls of the auth forms, and signs in by the mailed link. */
export async function signUp(
  context: BrowserContext,
  platform: Platform,
  role: SignUpRole = "NEW",
): Promise<NewPerson> {
  const email = `person-${randomBytes(6).toString("hex")}@example.com`;
  const asked = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role, agree: true };
  await sent(context, "/reg.json", asked);
  const link = await mailedLink(platform, email);
  await sent(context, `${new URL(link).pathname}.json`, {});
  return { context, email, password: PASSWORD, link };
}

/** Signs in by e-mail and password, as the sign-in form does. */
export const logIn = (context: BrowserContext, person: { email: string; password: string }): Promise<void> =>
  sent(context, "/login.json", { email: person.email, password: person.password });

async function sent(context: BrowserContext, path: string, data: object): Promise<void> {
  const headers = { "sec-fetch-site": "same-origin", ...fromOwnAddress() };
  const reply = await context.request.post(path, { data, headers });
  if (!reply.ok()) throw new Error(`${path} was answered ${reply.status()}: ${await reply.text()}`);
}
