import { PAGES } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Accounts } from "../deps.ts";
import { findHomeAccount } from "../people-store.ts";
import { moveSession } from "./move-session.ts";

/** Ends an admin's impersonation and returns the path to continue at. Problem `conflict` without an impersonation. */
export async function returnToAdmin(
  accounts: Accounts,
  by: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
): Promise<string> {
  const adminId = by.caller.impersonatorId;
  if (adminId === null) throw new Problem("conflict", "You are in your own account");
  const home = await findHomeAccount(accounts.pool, adminId);
  if (!home) throw new Problem("conflict", "Your own account no longer exists");
  const own = { userId: adminId, accountId: home.accountId, impersonatorId: null };
  await moveSession(accounts, by, own, { action: "returned_to_admin" });
  return PAGES.adminUsers.path;
}
