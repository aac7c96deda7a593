import { randomBytes } from "node:crypto";
import { AGREEMENT_VERSION, SUB_USER_LABELS, type SubUser, type SubUserRole } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { removeAuthenticator } from "../authenticator/otp-store.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { setPasswordHash } from "../people-store.ts";
import { deleteSessionsOf } from "../sessions/session-store.ts";
import { deleteWaysIn } from "../social/identity-store.ts";
import { lockAccount, removeMember } from "./member-store.ts";
import { countSubUsers, insertSubUser, lockSubUser, setSubUserRole } from "./sub-user-store.ts";

/** A domain that never resolves (RFC 2606): sub-users get no mail. */
const DOMAIN = "users.millrace.invalid";
const MOST_SUB_USERS = 100;
const ADDRESS_BYTES = 4;
/** 96 random bits, as 16 characters of the password alphabet. */
const PASSWORD_BYTES = 12;

const newAddress = (role: SubUserRole) =>
  `${role.toLowerCase()}-${randomBytes(ADDRESS_BYTES).toString("hex")}@${DOMAIN}`;
const newPassword = () => randomBytes(PASSWORD_BYTES).toString("base64url");
const notFound = () => new Problem("not_found", "There is no such sub-user");

/**
 * Creates a login for the account. Only the reply contains its password. Problem `conflict` for too many sub-users,
 * `too_many` for too many requests.
 */
export async function addSubUser(accounts: Accounts, by: By, role: SubUserRole): Promise<SubUser> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  await accounts.generatedPasswordThrottle.take(accountId);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    if ((await countSubUsers(client, accountId)) >= MOST_SUB_USERS)
      throw new Problem("conflict", `An account has at most ${MOST_SUB_USERS} sub-users. Delete one first`);
    const { userId, subUser } = await insertSubUser(client, accountId, {
      email: newAddress(role),
      name: SUB_USER_LABELS[role],
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
 * Changes the role immediately, or sets a new password, which ends the sub-user's sessions and removes linked
 * identities and the authenticator.
 */
export async function changeSubUser(
  accounts: Accounts,
  by: By,
  uuid: string,
  change: { role_code?: SubUserRole | undefined; new_password?: 1 | undefined },
): Promise<SubUser> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  if (change.new_password === 1) await accounts.generatedPasswordThrottle.take(accountId);
  const password = change.new_password === 1 ? newPassword() : null;
  const passwordHash = password === null ? null : await hashPassword(password);
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const found = await lockSubUser(client, accountId, uuid);
    if (!found) throw notFound();
    const { userId, subUser } = found;
    const role = change.role_code ?? subUser.role_code;
    const name = role === subUser.role_code ? subUser.name : SUB_USER_LABELS[role];
    if (role !== subUser.role_code) await setSubUserRole(client, { accountId, userId }, { role, name });
    if (passwordHash !== null) {
      await setPasswordHash(client, userId, passwordHash);
      await deleteSessionsOf(client, userId);
      // The previous holder of the login may have linked an identity provider or set up an authenticator.
      await deleteWaysIn(client, userId);
      await removeAuthenticator(client, userId);
    }
    await recordAct({ pool: client, clock }, by, {
      action: "sub_user_changed",
      subject: String(userId),
      details: { role, new_password: password !== null },
    });
    return { ...subUser, role_code: role, name, salt: password };
  });
}

/** Removes a sub-user and ends their sessions. */
export async function removeSubUser(accounts: Accounts, by: By, uuid: string): Promise<void> {
  const { pool, clock } = accounts;
  const { accountId } = by.caller;
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const found = await lockSubUser(client, accountId, uuid);
    if (!found) throw notFound();
    await removeMember(client, { accountId, userId: found.userId });
    await recordAct({ pool: client, clock }, by, { action: "sub_user_removed", subject: String(found.userId) });
  });
}
