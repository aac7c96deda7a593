import { askSupport, SOCIAL_SERVICES, site, support } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { Problem } from "../../platform/http/problem.ts";
import type { Throttle } from "../../platform/http/throttle.ts";
import { serve } from "../../platform/http/serve.ts";
import { chatOf } from "./chat.ts";
import type { SiteDeps } from "./deps.ts";
import { findAsker } from "./find-asker.ts";
import type { MailSupport } from "./support-mails.ts";

interface Site extends SiteDeps {
  mailSupport: MailSupport;
  throttle: Throttle;
}

export function siteRoutes(app: FastifyInstance, { pool, settings, mailboxFor, mailSupport, throttle }: Site): void {
  const { operator, social, intercom, demo } = settings;

  serve(app, site, async ({ request }) => ({
    operator: { name: operator.name, email: operator.email ?? null, address: operator.address ?? null },
    social: SOCIAL_SERVICES.filter((service) => social[service] !== undefined),
    demo,
    mailbox: await mailboxFor(request),
  }));

  serve(app, support, async ({ caller }) => {
    // The user's conversations are the user's: an admin who visits the account does not read and write them.
    const asker = intercom && !caller.is_switched ? await findAsker(pool, caller) : undefined;
    return { chat: intercom && asker ? chatOf(intercom, asker) : null, mail: operator.email !== undefined };
  });

  serve(app, askSupport, async ({ caller, body }) => {
    if (operator.email === undefined) throw new Problem("unprocessable", "This platform takes no messages to support");
    await throttle.take(caller.impersonatorId ?? caller.userId);
    const { userId, accountId, impersonatorId: visitorId } = caller;
    await mailSupport({ userId, accountId, visitorId, ...body });
    return { message: "Your message was sent to support" };
  });
}
