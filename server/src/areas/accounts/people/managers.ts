import type { Manager } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { mayManageManagers } from "../profile/role-flags.ts";
import { changeInvitation, deleteInvitations } from "./invitation-store.ts";
import { inviteMember } from "./invite-member.ts";
import { type FoundManager, changeActive, isSuperManager, lockManager } from "./manager-store.ts";
import { lockAccount, removeMember } from "./member-store.ts";

export interface NewManager {
  email: string;
  name: string;
  is_super_manager: boolean;
}

/**
 * Invites a manager by mail. The reply and the list are the same whether or not the e-mail has a login here. Problem
 * `conflict` for a member of the account, whom its list shows anyway.
 */
export async function inviteManager(accounts: Accounts, by: By, asked: NewManager): Promise<Manager> {
  const { email, name, is_super_manager: isSuper } = asked;
  await requireRight(accounts.pool, by.caller);
  const { uuid, ...invitation } = await inviteMember(
    accounts,
    by,
    { email, name, role: "manager", isSuper },
    { action: "manager_invited", details: { is_super: isSuper } },
  );
  return { uuid, email, name, is_super_manager: isSuper, state: "invited", invitation };
}

/** Changes a manager's name or right, or those of an invitation. */
export async function changeManager(
  accounts: Accounts,
  by: By,
  uuid: string,
  change: { name?: string | undefined; is_super_manager?: boolean | undefined },
): Promise<Manager> {
  const { accountId } = by.caller;
  return withManager(accounts, by, uuid, async (client, found) => {
    const { manager } = found;
    const name = change.name ?? manager.name;
    const isSuper = change.is_super_manager ?? manager.is_super_manager;
    if ("userId" in found) await changeActive(client, { accountId, userId: found.userId }, { name, isSuper });
    else await changeInvitation(client, { accountId, uuid }, { name, isSuper });
    await recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "manager_changed",
      subject: "userId" in found ? String(found.userId) : uuid,
      details: { is_super: isSuper },
    });
    return { ...manager, name, is_super_manager: isSuper };
  });
}

/** Removes a manager's access immediately, or withdraws an invitation. */
export async function removeManager(accounts: Accounts, by: By, uuid: string): Promise<void> {
  const { accountId } = by.caller;
  await withManager(accounts, by, uuid, async (client, found) => {
    if ("userId" in found) await removeMember(client, { accountId, userId: found.userId });
    await deleteInvitations(client, accountId, found.manager.email);
    await recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "manager_removed",
      subject: "userId" in found ? String(found.userId) : uuid,
    });
  });
}

/** Applies a change to one of the account's managers; Problem `not_found` for any other. */
async function withManager<T>(
  { pool, clock }: Accounts,
  { caller }: By,
  uuid: string,
  work: (client: PoolClient, found: FoundManager) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await lockAccount(client, caller.accountId);
    await requireRight(client, caller);
    const found = await lockManager(client, { accountId: caller.accountId, uuid, now: new Date(clock.now()) });
    if (!found) throw new Problem("not_found", "There is no such manager");
    return work(client, found);
  });
}

async function requireRight(pool: Pool | PoolClient, caller: Caller): Promise<void> {
  if (mayManageManagers(caller, await isSuperManager(pool, caller))) return;
  throw new Problem("forbidden", "You do not have the right to manage managers");
}
