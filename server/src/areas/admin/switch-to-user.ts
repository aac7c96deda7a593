import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/http/problem.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { homeOf, moveSession } from "../accounts/index.ts";
import type { AdminDeps } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Starts impersonating an account's owner and returns the path to continue at. It lasts as long as the admin's own
 * session. A blocked owner can be impersonated, to see what the block is about. Problem `not_found` for a user who owns
 * no account, such as sub-users and managers, `conflict` for an admin.
 */
export async function switchToUser(
  deps: Pick<AdminDeps, "pool" | "clock">,
  by: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
  userUuid: string,
): Promise<string> {
  const owner = await findOwner(deps.pool, userUuid);
  if (owner.isAdmin) throw new Problem("conflict", "You cannot switch in to an admin's account");
  const act = { action: "switched_in", subject: owner.uuid, accountId: owner.accountId };
  const visit = { userId: owner.userId, accountId: owner.accountId, impersonatorId: by.caller.userId };
  await moveSession(deps, by, visit, act);
  return homeOf({ role: "owner", hasAllApps: true, ...owner });
}
