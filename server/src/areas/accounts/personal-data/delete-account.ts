import { randomUUID } from "node:crypto";
import { type Body, TEXTS, type deleteAccount as deleteAccountCall } from "@millrace/contract";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { requireCode, refuseWithoutCode } from "../authenticator/take-code.ts";
import type { Accounts } from "../deps.ts";
import { fitsPassword } from "../passwords.ts";
import { findUserById } from "../people-store.ts";
import { eraseAccount } from "./erase-account.ts";
import { FORGETTING_MS, forgetPeople, sendForget, unsendForget } from "./forget-people.ts";
import { readOwed, refuseWhileOwed } from "./owed.ts";

type Proof = Body<typeof deleteAccountCall>;

/**
 * Permanently deletes the caller's account and everything personal in every store. Requires their e-mail, and their
 * password and a code if they have them. Nobody can be paid any more, so what is still owed has to be given up knowingly.
 */
export async function deleteAccount(accounts: Accounts, by: By, proof: Proof): Promise<void> {
  const { pool, clock } = accounts;
  const { userId, accountId } = by.caller;
  await demandProof(accounts, by, proof);
  const key = randomUUID();
  const erased = await inTransaction(pool, async (client) => {
    const gone = await eraseAccount(client, { accountId, ownerId: userId, now: new Date(clock.now()) });
    await accounts.closeAccount(client, accountId);
    await recordAct(
      { pool: client, clock },
      { caller: by.caller },
      { action: "account_deleted", subject: String(accountId) },
    );
    await sendForget(accounts, client, key, gone);
    return gone;
  });
  if (await forgetPeople(accounts, erased, FORGETTING_MS)) await unsendForget(accounts, key);
}

async function demandProof(accounts: Accounts, { caller, request }: By, proof: Proof): Promise<void> {
  const user = await findUserById(accounts.pool, caller.userId);
  if (!user) throw notSignedIn();
  if (proof.email !== user.email)
    throw new Problem("unprocessable", { email: "This is not the e-mail of your account" });
  // Before the password, which costs a hash each time.
  if (user.hasAuthenticator) refuseWithoutCode(proof);
  if (user.passwordHash !== null) {
    if (proof.password === undefined || proof.password === "")
      throw new Problem("invalid", { password: TEXTS.required });
    const from = { address: request.ip, known: `session ${caller.sessionHash}` };
    await accounts.signInThrottle.take(user.email, from);
    if (!(await fitsPassword(user.passwordHash, proof.password)))
      throw new Problem("unprocessable", { password: "Wrong password" });
    await accounts.signInThrottle.forgive(user.email, from);
  }
  if (proof.give_up !== true) refuseWhileOwed(await readOwed(accounts, caller.accountId));
  // Last, because it uses the code up.
  await requireCode(accounts, user.id, proof, { session: caller.sessionHash });
}
