import type { FastifyInstance } from "fastify";
import type { Area } from "../../platform/area.ts";
import type { Authenticate } from "../../platform/http/caller.ts";
import { codeThrottle } from "./authenticator/code-throttle.ts";
import { deleteEndedSetups } from "./authenticator/otp-store.ts";
import { authenticatorRoutes } from "./authenticator/routes.ts";
import type { Accounts, AccountsDeps } from "./deps.ts";
import { defineNotices } from "./notices/send-notice.ts";
import { peopleRoutes } from "./people/routes.ts";
import { defineExports } from "./personal-data/export-personal-data.ts";
import { deleteEndedExports } from "./personal-data/export-store.ts";
import { defineForgetting } from "./personal-data/forget-people.ts";
import { personalDataRoutes } from "./personal-data/routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { authenticate } from "./sessions/authenticate.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { deleteEndedSessions } from "./sessions/session-store.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { signInThrottle } from "./sign-in/sign-in-throttle.ts";
import { failureCount } from "./sign-in/tell-failures.ts";
import { signUpRoutes } from "./sign-up/routes.ts";
import { deleteExpiredRequests } from "./social/pending-request.ts";
import { socialRoutes } from "./social/routes.ts";
import { generatedPasswordThrottle, noticeThrottle } from "./throttles.ts";
import { defineTicketMails } from "./tickets/mail-ticket.ts";
import { ticketRoutes } from "./tickets/routes.ts";
import { deleteEndedTickets } from "./tickets/ticket-store.ts";
import { ticketThrottle } from "./tickets/ticket-throttle.ts";

export { OTP_SECRET } from "./authenticator/take-code.ts";
export { clearAuthenticator } from "./authenticator/clear-authenticator.ts";
export { hashPassword } from "./passwords.ts";
export { memberNames } from "./people/member-store.ts";
export { findUserByEmail, insertOwner, setPasswordHash } from "./people-store.ts";
export { moveSession } from "./sessions/move-session.ts";
export { homeOf } from "./sessions/redirect-to.ts";
export { deleteSessionsForAccount, deleteSessionsOf } from "./sessions/session-store.ts";

const CLEANUP_EVERY_MS = 3_600_000;

/** Users, sign-in, sessions, profiles and rights, and the caller of each request. */
export function accountsArea(deps: AccountsDeps): Area & { authenticate: Authenticate } {
  const accounts: Accounts = {
    ...deps,
    signInThrottle: signInThrottle(),
    codeThrottle: codeThrottle(),
    failures: failureCount(),
    ticketThrottle: ticketThrottle(),
    generatedPasswordThrottle: generatedPasswordThrottle(),
    noticeThrottle: noticeThrottle(),
  };
  defineTicketMails(accounts);
  defineNotices(accounts);
  defineExports(accounts);
  defineForgetting(accounts);
  let cleanup: NodeJS.Timeout | undefined;
  return {
    name: "accounts",
    routes: (app) => accountRoutes(app, accounts),
    start: async () => {
      const clean = async () => {
        const now = new Date(deps.clock.now());
        await Promise.allSettled([
          deleteEndedSessions(deps.pool, now),
          deleteEndedTickets(deps.pool, now),
          deleteEndedSetups(deps.pool, now),
          deleteEndedExports(deps.pool, now),
          deleteExpiredRequests(deps.pool, now),
        ]);
      };
      cleanup = setInterval(() => void clean(), CLEANUP_EVERY_MS).unref();
    },
    stop: async () => clearInterval(cleanup),
    authenticate: (request) => authenticate(deps, request),
  };
}

/** All calls of the area, by subject. */
function accountRoutes(app: FastifyInstance, accounts: Accounts): void {
  sessionRoutes(app, accounts);
  signInRoutes(app, accounts);
  signUpRoutes(app, accounts);
  ticketRoutes(app, accounts);
  authenticatorRoutes(app, accounts);
  socialRoutes(app, accounts);
  profileRoutes(app, accounts);
  peopleRoutes(app, accounts);
  personalDataRoutes(app, accounts);
}
