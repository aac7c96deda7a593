import { randomBytes } from "node:crypto";
import type * as contract from "@millrace/contract";
import { AGREEMENT_VERSION, type Body, SUB_USER_LABELS, type SubUser, type SubUserRole } from "@millrace/contract";
import type { PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { removeAuthenticator } from "../authenticator/otp-store.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { setPasswordHash } from "../people-store.ts";
import { deleteSessionsOf } from "../sessions/session-store.ts";
import { deleteWaysIn } from "../social/identity-store.ts";
import { changeInvitation, deleteInvitations } from "./invitation-store.ts";
import { inviteMember } from "./invite-member.ts";
import { lockAccount, removeMember } from "./member-store.ts";
import { type FoundSubUser, countSubUsers, insertSubUser, lockSubUser, setSubUser } from "./sub-user-store.ts";

/** A domain that never resolves (RFC 2606): a sub-user with a generated e-mail gets no mail. */
const DOMAIN = "users.millrace.invalid";
const MOST_SUB_USERS = 100;
const ADDRESS_BYTES = 4;
/** 96 random bits, as 16 characters of the password alphabet. */
const PASSWORD_BYTES = 12;

const newAddress = (role: SubUserRole) =>
  `${role.toLowerCase()}-${randomBytes(ADDRESS_BYTES).toString("hex")}@${DOMAIN}`;
const newPassword = () => randomBytes(PASSWORD_BYTES).toString("base64url");

const tooMany = () => new Problem("conflict", `An account has at most ${MOST_SUB_USERS} sub-users. Delete one first`);

/**
 * Creates a login for the account, named after its role unless a name is given. Only the reply contains its password.
 * Problem `conflict` for too many sub-users, `too_many` for too many requests.
 */
export async function addSubUser(
  accounts: Accounts,
  by: By,
  { role_code: role, name = SUB_USER_LABELS[role] }: Body<typeof contract.addSubUser>,
): Promise<SubUser> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  await accounts.generatedPasswordThrottle.take(accountId);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    if ((await countSubUsers(client, accountId, new Date(clock.now()))) >= MOST_SUB_USERS) throw tooMany();
    const { userId, subUser } = await insertSubUser(client, accountId, {
      email: newAddress(role),
      name,
      passwordHash,
      role,
      agreedVersion: AGREEMENT_VERSION,
    });
    await recordAct({ pool: client, clock }, by, {
      action: "sub_user_added",
      subject: String(userId),
      details: { role },
    });
    return { ...subUser, salt: password };
  });
}

/**
 * Invites a sub-user by mail, who then signs in with their own e-mail and password. The reply is the same whether or not
 * the e-mail has a login here. Problem `conflict` for a member of the account and for too many sub-users.
 */
export async function inviteSubUser(
  accounts: Accounts,
  by: By,
  { email, name, role_code: role }: Body<typeof contract.inviteSubUser>,
): Promise<SubUser> {
  const { accountId } = by.caller;
  const { uuid, ...invitation } = await inviteMember(
    accounts,
    by,
    { email, name, role, isSuper: false },
    {
      action: "sub_user_invited",
      details: { role },
      // Counts the new invitation too.
      check: async (client) => {
        await lockAccount(client, accountId);
        const count = await countSubUsers(client, accountId, new Date(accounts.clock.now()));
        if (count > MOST_SUB_USERS) throw tooMany();
      },
    },
  );
  return { uuid, email, name, role_code: role, salt: null, state: "invited", invitation, has_mailbox: true };
}

/**
 * Changes the role or the name immediately, or sets a new password, which ends the sub-user's sessions and removes
 * linked identities and the authenticator. Problem `conflict` for the password of a person with their own e-mail.
 */
export async function changeSubUser(
  accounts: Accounts,
  by: By,
  uuid: string,
  change: Body<typeof contract.editSubUser>,
): Promise<SubUser> {
  const { accountId } = by.caller;
  if (change.new_password === 1) await accounts.generatedPasswordThrottle.take(accountId);
  const password = change.new_password === 1 ? newPassword() : null;
  const passwordHash = password === null ? null : await hashPassword(password);
  return withSubUser(accounts, by, uuid, async (client, found) => {
    const { subUser } = found;
    if (password !== null && subUser.has_mailbox) throw new Problem("conflict", OWN_PASSWORD);
    const role = change.role_code ?? subUser.role_code;
    const name = change.name ?? nameAs(role, subUser);
    if ("userId" in found) {
      const { userId } = found;
      if (role !== subUser.role_code || name !== subUser.name)
        await setSubUser(client, { accountId, userId }, { role, name });
      if (passwordHash !== null) {
        await setPasswordHash(client, userId, passwordHash);
        await deleteSessionsOf(client, userId);
        // The previous holder of the login may have linked an identity provider or set up an authenticator.
        await deleteWaysIn(client, userId);
        await removeAuthenticator(client, userId);
      }
    } else await changeInvitation(client, { accountId, uuid }, { name, role });
    await recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "sub_user_changed",
      subject: subjectOf(found),
      details: { role, new_password: password !== null },
    });
    return { ...subUser, role_code: role, name, salt: password };
  });
}

const OWN_PASSWORD =
  "This person has an own e-mail and chooses the password. “Forgot password?” on the sign-in page sets a new one";

/** A sub-user without a name of their own is called after the role. */
const nameAs = (role: SubUserRole, { name, role_code }: SubUser): string =>
  name === SUB_USER_LABELS[role_code] ? SUB_USER_LABELS[role] : name;

/** Removes a sub-user and ends their sessions, or withdraws an invitation. */
export async function removeSubUser(accounts: Accounts, by: By, uuid: string): Promise<void> {
  const { accountId } = by.caller;
  await withSubUser(accounts, by, uuid, async (client, found) => {
    if ("userId" in found) await removeMember(client, { accountId, userId: found.userId });
    await deleteInvitations(client, accountId, found.subUser.email);
    await recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "sub_user_removed",
      subject: subjectOf(found),
    });
  });
}

const subjectOf = (found: FoundSubUser): string => ("userId" in found ? String(found.userId) : found.subUser.uuid);

/** Applies a change to one of the account's sub-users; Problem `not_found` for any other. */
async function withSubUser<T>(
  { pool, clock }: Accounts,
  { caller: { accountId } }: By,
  uuid: string,
  work: (client: PoolClient, found: FoundSubUser) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const found = await lockSubUser(client, { accountId, uuid, now: new Date(clock.now()) });
    if (!found) throw new Problem("not_found", "There is no such sub-user");
    return work(client, found);
  });
}
