import { type Body, type Manager, TEXTS, type addManager, type editManager } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { mayManageManagers } from "../profile/role-flags.ts";
import { inviteMember } from "./invite-member.ts";
import {
  type Member,
  type MemberKind,
  type NamedMember,
  appsOf,
  changeMember,
  endMembership,
  listMembers,
  memberRevision,
  subjectOf,
  withMember,
} from "./members.ts";

const MANAGER: MemberKind = {
  roles: ["manager"],
  label: "manager",
  removed: "manager_removed",
  mayManage: requireRight,
};

const managerOf = (member: Member): Manager => ({
  uuid: member.uuid,
  email: member.email,
  name: member.name,
  is_super_manager: member.isSuper,
  app_ids: member.appIds,
  state: member.invitation ? "invited" : "active",
  invitation: member.invitation,
  revision: memberRevision(member),
});

export const listManagers = async (pool: Pool, accountId: number, now: Date): Promise<Manager[]> =>
  (await listMembers(pool, { accountId, roles: MANAGER.roles, now })).map(managerOf);

/**
 * Invites a manager by mail. The reply and the list are the same whether or not the e-mail has a login here. Problem
 * `conflict` for a member of the account, whom its list shows anyway.
 */
export async function inviteManager(accounts: Accounts, by: By, body: Body<typeof addManager>): Promise<Manager> {
  const { email, name, is_super_manager: isSuper, app_ids: appIds } = body;
  await requireRight(accounts.pool, by.caller);
  const details = { is_super: isSuper, ...appsOf({ appIds }) };
  const invited = await inviteMember(
    accounts,
    by,
    { email, name, role: "manager", isSuper, appIds },
    { action: "manager_invited", details },
  );
  return managerOf(invited);
}

/** Changes a manager's name, right or apps, or those of an invitation. */
export async function changeManager(
  accounts: Accounts,
  by: By,
  which: NamedMember,
  change: Body<typeof editManager>,
): Promise<Manager> {
  const changedOf = (manager: Member) => ({
    ...manager,
    name: change.name ?? manager.name,
    isSuper: change.is_super_manager ?? manager.isSuper,
    appIds: change.app_ids === undefined ? manager.appIds : change.app_ids,
  });
  return withMember(accounts, by, { kind: MANAGER, changed: changedOf, ...which }, async (client, manager, isDone) => {
    if (isDone) return managerOf(manager);
    const changed = changedOf(manager);
    if (changed.isSuper && changed.appIds) throw new Problem("invalid", { is_super_manager: TEXTS.superHasAllApps });
    await changeMember(client, by.caller.accountId, manager, changed);
    await recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "manager_changed",
      subject: subjectOf(manager),
      details: { is_super: changed.isSuper, ...appsOf(changed) },
    });
    return managerOf(changed);
  });
}

/** Removes a manager's access immediately, or withdraws an invitation. */
export const removeManager = (accounts: Accounts, by: By, uuid: string): Promise<void> =>
  endMembership(accounts, by, { kind: MANAGER, uuid });

async function requireRight(db: Pool | PoolClient, caller: Caller): Promise<void> {
  const { rowCount } = await db.query(
    "SELECT FROM memberships WHERE account_id = $1 AND user_id = $2 AND role = 'manager' AND is_super",
    [caller.accountId, caller.userId],
  );
  if (mayManageManagers(caller, rowCount === 1)) return;
  throw new Problem("forbidden", "You do not have the right to manage managers");
}
