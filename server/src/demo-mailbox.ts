import { demoMail, demoMailbox } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mailPage, mailboxPage } from "./demo-mailbox-pages.ts";
import { hostCookie } from "./platform/http/host-cookie.ts";
import { Problem } from "./platform/http/problem.ts";
import { serve } from "./platform/http/serve.ts";
import { findMail, readMailbox } from "./platform/mail/index.ts";
import { isSecret } from "./platform/secrets/token.ts";

/** The mails that the demo does not send. */
export interface DemoMailbox {
  dir: string;
  /** Printed at the start and new each time: it opens the mailbox to the reader of the terminal. */
  key: string;
}

/** The address that the start prints. */
export const mailboxUrl = (publicUrl: string, { key }: DemoMailbox): string =>
  `${publicUrl}${demoMailbox.path}?key=${key}`;

const keyCookie = hostCookie("millrace-mailbox", 7 * 86_400);

/** The demo's mails as pages. Without a file mailbox these addresses return 404. */
export function demoMailboxRoutes(app: FastifyInstance, mailbox: DemoMailbox | undefined): void {
  serve(app, demoMailbox, async ({ request, reply, query }) => {
    if (query.key !== undefined) {
      if (!mailbox || !isSecret(query.key, mailbox.key)) throw nothingHere();
      keyCookie.set(request, reply, mailbox.key);
      // Redirects to an address without the key, because people copy addresses and share screens.
      return reply.headers(PRIVATE_HEADERS).redirect(demoMailbox.path, 303);
    }
    const dir = await mailDirFor(request, mailbox);
    return sendPage(reply, mailboxPage(await readMailbox(dir)));
  });
  serve(app, demoMail, async ({ request, reply, params }) => {
    const dir = await mailDirFor(request, mailbox);
    const mail = await findMail(dir, params.id);
    if (!mail) throw nothingHere();
    return sendPage(reply, mailPage(mail));
  });
}

/** The mailbox, for those who may see it; for everyone else the addresses return 404. */
async function mailDirFor(request: FastifyRequest, mailbox: DemoMailbox | undefined): Promise<string> {
  if (mailbox && (await maySeeMails(request, mailbox))) return mailbox.dir;
  throw nothingHere();
}

const nothingHere = () => new Problem("not_found", "There is nothing at this address");

/**
 * Allowed are a browser that opened the printed address, and admins. Reset links of every user are among the mails, so
 * the request's address never decides: behind a local proxy everyone looks local.
 */
export async function maySeeMails(request: FastifyRequest, { key }: DemoMailbox): Promise<boolean> {
  return isSecret(keyCookie.read(request) ?? "", key) || (await isAdmin(request));
}

async function isAdmin(request: FastifyRequest): Promise<boolean> {
  const caller = await request.server.authenticate(request);
  return caller?.role === "admin" && !caller.mfaPending && !caller.byToken;
}

/** Links in mails open accounts, so they must not reach other sites' logs or caches. */
const PRIVATE_HEADERS = { "referrer-policy": "no-referrer", "cache-control": "no-store" };

/** Nothing runs and nothing is loaded, in the page and in the mail that it frames. */
function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return reply
    .headers({
      ...PRIVATE_HEADERS,
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    })
    .type("text/html; charset=utf-8")
    .send(html);
}
