import { isDeepStrictEqual } from "node:util";
import { randomUUID } from "node:crypto";
import type { SubUser } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseStale, revisionOf } from "../../../platform/http/revision.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { type Erased, FORGETTING_MS, forgetPeople, sendForget, unsendForget } from "../personal-data/forget-people.ts";
import {
  type Invitation,
  type InvitedRole,
  type MemberRights,
  changeInvitations,
  deleteInvitations,
  listInvitations,
  lockInvitation,
  timesOf,
} from "./invitation-store.ts";
import { lockAccount, removeMember } from "./member-store.ts";

/** A person with access to the account, or an invitation that is not accepted yet. */
export interface Member extends MemberRights {
  /** Null for an invitation. */
  userId: number | null;
  uuid: string;
  email: string;
  invitation: SubUser["invitation"];
}

const ACTIVE = `SELECT u.id AS "userId", u.uuid, u.email, u.name, m.role, m.is_super AS "isSuper",
    CASE WHEN m.app_ids IS NOT NULL THEN ARRAY(
      SELECT id FROM apps WHERE account_id = $1 AND id = ANY(m.app_ids) AND deleted_at IS NULL ORDER BY id
    ) END AS "appIds", NULL AS invitation
  FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = $1 AND m.role = ANY($2)`;

const invited = ({ invitedAt, expiresAt, ...invitation }: Invitation): Member => ({
  ...invitation,
  userId: null,
  invitation: timesOf({ invitedAt, expiresAt }),
});

/** The account's people in these roles, in the order in which they were added, and then the invited ones. */
export async function listMembers(
  db: Pool | PoolClient,
  { accountId, roles, now }: { accountId: number; roles: readonly InvitedRole[]; now: Date },
): Promise<Member[]> {
  const { rows } = await db.query<Member>(`${ACTIVE} ORDER BY u.id`, [accountId, roles]);
  return [...rows, ...(await listInvitations(db, { accountId, roles, now })).map(invited)];
}

async function lockMember(
  client: PoolClient,
  { accountId, uuid, roles, now }: { accountId: number; uuid: string; roles: readonly InvitedRole[]; now: Date },
): Promise<Member | undefined> {
  const invitation = await lockInvitation(client, { accountId, uuid, roles, now });
  if (invitation) return invited(invitation);
  const { rows } = await client.query<Member>(`${ACTIVE} WHERE u.uuid = $3 FOR UPDATE OF u, m`, [
    accountId,
    roles,
    uuid,
  ]);
  return rows[0];
}

/** Problem `invalid` unless all of these are apps of the account. */
export async function requireApps(client: PoolClient, accountId: number, appIds: number[] | null): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(
    "SELECT $2::integer[] <@ ARRAY(SELECT id FROM apps WHERE account_id = $1 AND deleted_at IS NULL) AS known",
    [accountId, appIds ?? []],
  );
  if (rows[0]?.known !== true) throw new Problem("invalid", { app_ids: "Choose apps of your account" });
}

/** Changes what a person of the account may do, from their next request on, or what an invited one will. */
export async function changeMember(
  client: PoolClient,
  accountId: number,
  { userId, email }: Member,
  { name, role, isSuper, appIds }: MemberRights,
): Promise<void> {
  await requireApps(client, accountId, appIds);
  if (userId === null) return changeInvitations(client, { accountId, email }, { name, role, isSuper, appIds });
  await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name]);
  await client.query(
    "UPDATE memberships SET role = $3, is_super = $4, app_ids = $5 WHERE account_id = $1 AND user_id = $2",
    [accountId, userId, role, isSuper, appIds],
  );
}

/** What the forms of a member edit. Apps have no order. */
const editedOf = ({ name, role, isSuper, appIds }: MemberRights) => ({
  name,
  role,
  isSuper,
  appIds: appIds && [...new Set(appIds)].toSorted((a, b) => a - b),
});

export const memberRevision = (rights: MemberRights): string => revisionOf(editedOf(rights));

/** The object of an act on a member in the audit log. */
export const subjectOf = ({ userId, uuid }: Member): string => (userId === null ? uuid : String(userId));
/** Chosen apps as the audit log has them. */
export const appsOf = ({ appIds }: Pick<MemberRights, "appIds">) => ({ apps: appIds ?? "all" });

/** A member as a caller names it; with the revision, a change is refused once somebody else has changed the member. */
export interface NamedMember {
  uuid: string;
  revision?: string | undefined;
}

interface MemberChange extends NamedMember {
  kind: MemberKind;
  /** The member with the change, if what is edited changes. */
  changed?: (member: Member) => MemberRights;
}

/** How one kind of members is found and recorded. */
export interface MemberKind {
  roles: readonly InvitedRole[];
  /** What its errors call it. */
  label: string;
  removed: string;
  /** Checked before the member is looked for. */
  mayManage?(client: PoolClient, caller: By["caller"]): Promise<void>;
}

/**
 * Applies a change to one of the account's people of a kind. Problem `not_found` for any other, `conflict` for an old revision.
 */
export async function withMember<T>(
  { pool, clock }: Accounts,
  { caller }: By,
  { kind: { roles, label, mayManage }, uuid, revision, changed }: MemberChange,
  work: (client: PoolClient, member: Member, isDone: boolean) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await lockAccount(client, caller.accountId);
    await mayManage?.(client, caller);
    const now = new Date(clock.now());
    const member = await lockMember(client, { accountId: caller.accountId, uuid, roles, now });
    if (!member) throw new Problem("not_found", `There is no such ${label}`);
    const before = editedOf(member);
    const isDone = refuseStale(revision, before, changed && isDeepStrictEqual(editedOf(changed(member)), before));
    return work(client, member, isDone);
  });
}

/** Ends a person's access immediately, or withdraws an invitation. A person without any account left is forgotten in every store. */
export async function endMembership(
  accounts: Accounts,
  by: By,
  which: { kind: MemberKind; uuid: string },
): Promise<void> {
  const { accountId } = by.caller;
  const key = randomUUID();
  const erased = await withMember(accounts, by, which, async (client, member) => {
    const { userId, email } = member;
    const isErased = userId !== null && (await removeMember(client, { accountId, userId }));
    await deleteInvitations(client, accountId, email);
    const act = { action: which.kind.removed, subject: subjectOf(member) };
    await recordAct({ pool: client, clock: accounts.clock }, by, act);
    if (!isErased) return null;
    const person: Erased = { userIds: [userId], addresses: [email], accountName: "", invited: [], uuids: [] };
    await sendForget(accounts, client, key, person);
    return person;
  });
  if (erased && (await forgetPeople(accounts, erased, FORGETTING_MS))) await unsendForget(accounts, key);
}
