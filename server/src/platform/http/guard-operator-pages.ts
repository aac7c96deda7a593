import type { FastifyInstance } from "fastify";
import { isSecret } from "../secrets/token.ts";
import { bearerOf } from "./caller.ts";
import { Problem } from "./problem.ts";

/**
 * Matched by declared route, so that no other spelling of an address gets past; `/healthz` and `/servez` reveal nothing
 * and stay open.
 */
const FOR_OPERATORS = /^\/(metrics|readyz|docs(\/.*)?)$/;

/**
 * Restricts metrics, readiness and the calls' documentation to `Authorization: Bearer` with this token; without a token
 * they are public.
 */
export function guardOperatorPages(app: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return;
  app.addHook("onRequest", async (request) => {
    if (!FOR_OPERATORS.test(request.routeOptions.url ?? "")) return;
    if (isSecret(bearerOf(request) ?? "", token)) return;
    throw new Problem("unauthenticated", "This page requires the operator's token");
  });
}
