import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { requestTicket } from "../tickets/request-ticket.ts";
import { type MemberRights, changeInvitations, timesOf } from "./invitation-store.ts";
import { isMember } from "./member-store.ts";
import { type Member, requireApps } from "./members.ts";

interface NewMember extends MemberRights {
  email: string;
}

/**
 * Mails an invitation to the account. Only the job that mails it checks whether the e-mail has a login, so that the
 * reply reveals nothing. Inviting an e-mail again sends a new link, and the older ones stop working. Problem `conflict`
 * for a member of the account, whom its lists show anyway.
 */
export async function inviteMember(
  accounts: Accounts,
  by: By,
  { email, ...payload }: NewMember,
  act: { action: string; details: Record<string, unknown>; check?: (client: PoolClient) => Promise<void> },
): Promise<Member> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  const { check, ...recorded } = act;
  if (await isMember(pool, accountId, email)) throw new Problem("conflict", "This e-mail already has access");
  const invitation = { type: "manager", email, accountId, payload } as const;
  const { uuid, createdAt, expiresAt } = await requestTicket(accounts, invitation, async (client, subject) => {
    await requireApps(client, accountId, payload.appIds);
    await check?.(client);
    await changeInvitations(client, { accountId, email }, payload);
    await recordAct({ pool: client, clock }, by, { ...recorded, subject });
  });
  return { ...payload, email, uuid, userId: null, invitation: timesOf({ invitedAt: createdAt, expiresAt }) };
}
