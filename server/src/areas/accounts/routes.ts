import type { FastifyInstance } from "fastify";
import { authenticatorRoutes } from "./authenticator/routes.ts";
import type { Accounts } from "./deps.ts";
import { peopleRoutes } from "./people/routes.ts";
import { personalDataRoutes } from "./personal-data/routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { signUpRoutes } from "./sign-up/routes.ts";
import { socialRoutes } from "./social/routes.ts";
import { switchingRoutes } from "./switching/routes.ts";
import { ticketRoutes } from "./tickets/routes.ts";

/** All calls of the area, by subject. */
export function accountRoutes(app: FastifyInstance, accounts: Accounts): void {
  sessionRoutes(app, accounts);
  signInRoutes(app, accounts);
  signUpRoutes(app, accounts);
  ticketRoutes(app, accounts);
  authenticatorRoutes(app, accounts);
  socialRoutes(app, accounts);
  switchingRoutes(app, accounts);
  profileRoutes(app, accounts);
  peopleRoutes(app, accounts);
  personalDataRoutes(app, accounts);
}
