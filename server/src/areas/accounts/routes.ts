import type { FastifyInstance } from "fastify";
import type { Accounts } from "./deps.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { switchingRoutes } from "./switching/routes.ts";

/** Every call of the area, by what it is about. */
export function accountRoutes(app: FastifyInstance, accounts: Accounts): void {
  sessionRoutes(app, accounts);
  signInRoutes(app, accounts);
  switchingRoutes(app, accounts);
}
