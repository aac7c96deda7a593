import { SIGNED_IN_AS, TEXTS } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/**
 * Refuses a change by a page that was opened as another user: the browser has signed in again since, in another tab. What was typed
 * for one account must not be saved in another. Programs do not say as whom they call. Problem `conflict`.
 */
export function refuseOtherUser({ headers, caller }: Pick<FastifyRequest, "headers" | "caller">): void {
  const user = headers[SIGNED_IN_AS];
  if (caller && user !== undefined && user !== caller.uuid) throw new Problem("conflict", TEXTS.otherUser);
}
