import { demoMail, demoMailbox } from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mailPage, mailboxPage } from "./demo-mailbox-pages.ts";
import { Problem } from "./platform/http/problem.ts";
import { serve } from "./platform/http/serve.ts";
import { findMail, readMailbox } from "./platform/mail/index.ts";

/** The mails that the demo keeps to itself. */
export interface DemoMailbox {
  dir: string;
  /** Whoever sits at this machine reads them, as admins do; nobody else's requests come from here. */
  isOwn: boolean;
}

/**
 * The mailbox of a platform that people use at `publicUrl`. Where that is not this machine's own, or a proxy is told of, a
 * request that looks like one from here may be anybody's.
 */
export const demoMailboxOf = (
  dir: string,
  { publicUrl, trustedProxies }: { publicUrl: string; trustedProxies: number },
): DemoMailbox => ({ dir, isOwn: trustedProxies === 0 && LOCAL_NAME.test(new URL(publicUrl).hostname) });

/** The demo's mails as pages. Without a mailbox of files there is nothing at these addresses. */
export function demoMailboxRoutes(app: FastifyInstance, mailbox: DemoMailbox | undefined): void {
  serve(app, demoMailbox, async ({ request, reply }) => {
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

/** The mailbox, for those who may see it; to everybody else it looks as if it were not there. */
async function mailDirFor(request: FastifyRequest, mailbox: DemoMailbox | undefined): Promise<string> {
  if (mailbox && (await maySeeMails(request, mailbox))) return mailbox.dir;
  throw nothingHere();
}

const nothingHere = () => new Problem("not_found", "There is nothing at this address");

/** Whoever sits at this machine, where it is for them alone, and admins. */
export const maySeeMails = async (request: FastifyRequest, { isOwn }: DemoMailbox): Promise<boolean> =>
  (isOwn && isOnThisMachine(request)) || (await isAdmin(request));

async function isAdmin(request: FastifyRequest): Promise<boolean> {
  const caller = await request.server.authenticate(request);
  return caller?.role === "admin" && !caller.mfaPending && !caller.byToken;
}

/** What this machine calls itself. */
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** What proxies add. One that stands on this machine brings strangers in over the loopback. */
const FORWARDED = /^(forwarded|via|x-(original-)?forwarded.*|x-real-ip|.*client-ip|.*-connecting-ip)$/;

/**
 * A browser or a command on this machine, that asks for it by a name of this machine: a stranger's site whose name has been
 * made to point here (DNS rebinding), or a proxy that adds no header, asks by another. One that was told nothing but where we
 * are asks by that name, and in HTTP/1.0, which no browser speaks.
 */
function isOnThisMachine(request: FastifyRequest): boolean {
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? "");
  const host = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  return (
    isLocal &&
    LOCAL_NAME.test(host) &&
    request.raw.httpVersion !== "1.0" &&
    !Object.keys(request.headers).some((name) => FORWARDED.test(name))
  );
}

/** Nothing runs and nothing is loaded, in the page and in the mail that it frames. */
function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return reply
    .headers({
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      // The addresses in mails open accounts.
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(html);
}
