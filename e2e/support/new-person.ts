import { randomBytes } from "node:crypto";
import type { BrowserContext } from "playwright-core";
import type { SignUpRole } from "@millrace/contract";
import type { Platform } from "./start-platform.ts";
import { fromOwnAddress } from "./visitor.ts";
import { readMailbox } from "../../server/src/platform/mail/index.ts";

const MAILED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** Waits for a mail to this address and returns its ticket link. With `after`, waits for a different link than that one. */
export async function mailedLink({ mailDir }: Platform, email: string, after?: string): Promise<string> {
  const until = Date.now() + MAILED_WITHIN_MS;
  while (Date.now() < until) {
    const mail = (await readMailbox(mailDir)).find(({ to, text }) => to === email && text.includes("/ticket/"));
    const link = mail && /\S+\/ticket\/[\w-]+/.exec(mail.text)?.[0];
    if (link !== undefined && link !== after) return link;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`No mail with a link arrived for ${email}`);
}

/** A new user with an account of their own, signed in in a separate browser context. */
export interface NewPerson {
  context: BrowserContext;
  email: string;
  password: string;
  /** The used link that opened the account. */
  link: string;
}

const PASSWORD = "first-password";

/** Signs up a new user with the calls of the auth forms, and signs in with the mailed link. */
export async function signUp(
  context: BrowserContext,
  platform: Platform,
  role: SignUpRole = "NEW",
): Promise<NewPerson> {
  const email = `person-${randomBytes(6).toString("hex")}@example.com`;
  const form = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role, agree: true };
  await post(context, "/reg.json", form);
  const link = await mailedLink(platform, email);
  await post(context, `${new URL(link).pathname}.json`, {});
  return { context, email, password: PASSWORD, link };
}

/** Signs in with the call of the sign-in form. */
export const logIn = (context: BrowserContext, person: { email: string; password: string }): Promise<void> =>
  post(context, "/login.json", { email: person.email, password: person.password });

async function post(context: BrowserContext, path: string, data: object): Promise<void> {
  const headers = { "sec-fetch-site": "same-origin", ...fromOwnAddress() };
  const reply = await context.request.post(path, { data, headers });
  if (!reply.ok()) throw new Error(`${path} was answered ${reply.status()}: ${await reply.text()}`);
}
