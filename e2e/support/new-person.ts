import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext } from "playwright-core";
import type { SignUpRole } from "@millrace/contract";
import { mailedLink } from "./mailed-link.ts";
import { type Look, visitor } from "./people.ts";
import type { Platform } from "./start-platform.ts";

/** Somebody with an account that nobody else has, signed in, in a browser of their own. */
export interface NewPerson {
  context: BrowserContext;
  email: string;
  password: string;
  /** The link that opened the account, used up. */
  link: string;
}

const PASSWORD = "first-password";

/** Signs somebody new up, as the doors do, and in by the link of the mail. */
export async function newPerson(
  browser: Browser,
  platform: Platform,
  { role = "NEW", look }: { role?: SignUpRole; look?: Look } = {},
): Promise<NewPerson> {
  const context = await visitor(browser, platform, look);
  const email = `person-${randomBytes(6).toString("hex")}@example.com`;
  const asked = { email, name: "Ada", password: PASSWORD, passConfirm: PASSWORD, role, agree: true };
  await sent(context, "/reg.json", asked);
  const link = await mailedLink(platform, email);
  await sent(context, `${new URL(link).pathname}.json`, {});
  return { context, email, password: PASSWORD, link };
}

/** A browser of somebody's own, signed in by e-mail and password. */
export async function signedIn(
  browser: Browser,
  platform: Platform,
  { email, password, look }: { email: string; password: string; look?: Look },
): Promise<BrowserContext> {
  const context = await visitor(browser, platform, look);
  await sent(context, "/login.json", { email, password });
  return context;
}

/** From an address of its own, which the demo believes: what others have tried from this machine is not held against it. */
async function sent(context: BrowserContext, path: string, data: object): Promise<void> {
  const [a, b, c] = randomBytes(3);
  const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": `10.${a}.${b}.${c}` };
  const reply = await context.request.post(path, { data, headers });
  if (!reply.ok()) throw new Error(`${path} was answered ${reply.status()}: ${await reply.text()}`);
}
