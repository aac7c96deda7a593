import { randomBytes } from "node:crypto";
import type * as contract from "@millrace/contract";
import {
  AGREEMENT_VERSION,
  type Body,
  SUB_USER_LABELS,
  SUB_USER_ROLES,
  type SubUser,
  type SubUserRole,
} from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseOtherContent, uuidOfKey } from "../../../platform/http/once-by-key.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { hasMailbox } from "../../../platform/mail/index.ts";
import { removeAuthenticator } from "../authenticator/otp-store.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { setPasswordHash } from "../people-store.ts";
import { deleteSessionsOf, hasSession } from "../sessions/session-store.ts";
import { deleteWaysIn } from "../social/identity-store.ts";
import { inviteMember } from "./invite-member.ts";
import { insertMember, lockAccount } from "./member-store.ts";
import {
  type Member,
  type MemberKind,
  type NamedMember,
  appsOf,
  changeMember,
  endMembership,
  listMembers,
  memberRevision,
  requireApps,
  subjectOf,
  withMember,
} from "./members.ts";

/** A domain that never resolves (RFC 2606): a sub-user with a generated e-mail gets no mail. */
const DOMAIN = "users.millrace.invalid";
const MOST_SUB_USERS = 100;
const ADDRESS_BYTES = 4;
/** 96 random bits, as 16 characters of the password alphabet. */
const PASSWORD_BYTES = 12;

const newAddress = (role: SubUserRole) =>
  `${role.toLowerCase()}-${randomBytes(ADDRESS_BYTES).toString("hex")}@${DOMAIN}`;
const newPassword = () => randomBytes(PASSWORD_BYTES).toString("base64url");

const SUB_USER: MemberKind = { roles: SUB_USER_ROLES, label: "sub-user", removed: "sub_user_removed" };

function subUserOf(member: Member, salt: string | null = null): SubUser {
  const { uuid, email, name, role, appIds, invitation } = member;
  if (role === "manager") throw new Error("A manager is not a sub-user");
  return {
    uuid,
    email,
    name,
    role_code: role,
    app_ids: appIds,
    salt,
    state: invitation ? "invited" : "active",
    invitation,
    has_mailbox: hasMailbox(email),
    revision: memberRevision(member),
  };
}

const listMembersOf = (db: Parameters<typeof listMembers>[0], accountId: number, now: Date) =>
  listMembers(db, { accountId, roles: SUB_USER_ROLES, now });

/** The account's sub-users in the order in which they were added, and its invitations to be one. */
export const listSubUsers = async (pool: Pool, accountId: number, now: Date): Promise<SubUser[]> =>
  (await listMembersOf(pool, accountId, now)).map((member) => subUserOf(member));

const tooMany = () => new Problem("conflict", `An account has at most ${MOST_SUB_USERS} sub-users. Delete one first`);

/**
 * Creates a login for the account, named after its role unless a name is given. Only the reply contains its password.
 * What an earlier call with the same key has created gets another password, since the reply with the first was lost.
 * Problem `conflict` for too many sub-users, `too_many` for too many requests.
 */
export async function addSubUser(
  accounts: Accounts,
  by: By,
  {
    key,
    role_code: role,
    name = SUB_USER_LABELS[role],
    app_ids: appIds,
  }: Body<typeof contract.addSubUser> & { key?: string | undefined },
): Promise<SubUser> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  await accounts.generatedPasswordThrottle.take(accountId);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const uuid = uuidOfKey(accountId, "sub-user", key);
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const members = await listMembersOf(client, accountId, new Date(clock.now()));
    const rights = { email: newAddress(role), name, role, isSuper: false, appIds };
    const added = members.find((member) => member.uuid === uuid);
    if (added) {
      refuseOtherContent("sub-user", memberRevision(added) === memberRevision(rights));
      await renewPassword(client, added, passwordHash);
      await recordChange(accounts, client, by, added, true);
      return subUserOf(added, password);
    }
    await requireApps(client, accountId, appIds);
    if (members.length >= MOST_SUB_USERS) throw tooMany();
    // The owner has accepted the terms for it.
    const login = { uuid, passwordHash, agreedVersion: AGREEMENT_VERSION };
    const made = await insertMember(client, accountId, { ...rights, ...login });
    if (!made) throw new Error("The generated e-mail is taken");
    await recordAct({ pool: client, clock }, by, {
      action: "sub_user_added",
      subject: String(made.userId),
      details: { role, ...appsOf(rights) },
    });
    return subUserOf({ ...rights, ...made, invitation: null }, password);
  });
}

/** Gives a login that was added before another password. Problem `conflict` if somebody has its password: it has signed in. */
async function renewPassword(client: PoolClient, { userId }: Member, passwordHash: string): Promise<void> {
  if (userId === null || (await hasSession(client, userId)))
    throw new Problem("conflict", "This sub-user was already added, and has signed in since");
  await setPasswordHash(client, userId, passwordHash);
}

/**
 * Invites a sub-user by mail, who then signs in with their own e-mail and password. The reply is the same whether or not
 * the e-mail has a login here. Problem `conflict` for a member of the account and for too many sub-users.
 */
export async function inviteSubUser(
  accounts: Accounts,
  by: By,
  { email, name, role_code: role, app_ids: appIds }: Body<typeof contract.inviteSubUser>,
): Promise<SubUser> {
  const { accountId } = by.caller;
  const invited = await inviteMember(
    accounts,
    by,
    { email, name, role, isSuper: false, appIds },
    {
      action: "sub_user_invited",
      details: { role, ...appsOf({ appIds }) },
      // Counts the new invitation too.
      check: async (client) => {
        await lockAccount(client, accountId);
        const { length } = await listMembersOf(client, accountId, new Date(accounts.clock.now()));
        if (length > MOST_SUB_USERS) throw tooMany();
      },
    },
  );
  return subUserOf(invited);
}

/**
 * Changes the role, the name or the apps immediately, or sets a new password, which ends the sub-user's sessions and
 * removes linked identities and the authenticator. Problem `conflict` for the password of a person with their own e-mail.
 */
export async function changeSubUser(
  accounts: Accounts,
  by: By,
  which: NamedMember,
  change: Body<typeof contract.editSubUser>,
): Promise<SubUser> {
  const { accountId } = by.caller;
  if (change.new_password === 1) await accounts.generatedPasswordThrottle.take(accountId);
  const password = change.new_password === 1 ? newPassword() : null;
  const passwordHash = password === null ? null : await hashPassword(password);
  const changedOf = (member: Member) => {
    const role = change.role_code ?? member.role;
    const name = change.name ?? nameAs(role, member);
    return { ...member, role, name, appIds: change.app_ids === undefined ? member.appIds : change.app_ids };
  };
  // A new password always changes the sub-user.
  const named = { kind: SUB_USER, ...(password === null && { changed: changedOf }), ...which };
  return withMember(accounts, by, named, async (client, member, isDone) => {
    if (isDone) return subUserOf(member);
    if (password !== null && hasMailbox(member.email)) throw new Problem("conflict", OWN_PASSWORD);
    const changed = changedOf(member);
    await changeMember(client, accountId, member, changed);
    if (passwordHash !== null && member.userId !== null) {
      await setPasswordHash(client, member.userId, passwordHash);
      await deleteSessionsOf(client, member.userId);
      // The previous holder of the login may have linked an identity provider or set up an authenticator.
      await deleteWaysIn(client, member.userId);
      await removeAuthenticator(client, member.userId);
    }
    await recordChange(accounts, client, by, changed, password !== null);
    return subUserOf(changed, password);
  });
}

const recordChange = ({ clock }: Accounts, client: PoolClient, by: By, member: Member, hasNewPassword: boolean) =>
  recordAct({ pool: client, clock }, by, {
    action: "sub_user_changed",
    subject: subjectOf(member),
    details: { role: member.role, new_password: hasNewPassword, ...appsOf(member) },
  });

const OWN_PASSWORD =
  "This person has an own e-mail and chooses the password. “Forgot password?” on the sign-in page sets a new one";

/** A sub-user without a name of their own is called after the role. */
function nameAs(to: Member["role"], { name, role }: Member): string {
  if (to === "manager" || role === "manager") return name;
  return name === SUB_USER_LABELS[role] ? SUB_USER_LABELS[to] : name;
}

/** Removes a sub-user and ends their sessions, or withdraws an invitation. */
export const removeSubUser = (accounts: Accounts, by: By, uuid: string): Promise<void> =>
  endMembership(accounts, by, { kind: SUB_USER, uuid });
