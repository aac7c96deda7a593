import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { newToken } from "../../../platform/secrets/token.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";
import { ACCESS_TOKEN_PREFIX, deleteAccessToken, replaceAccessToken } from "./access-token-store.ts";

/**
 * Creates the account's token, replacing an earlier one, and returns it; it is never shown again. It survives a
 * password change because the owner's programs use it, so its creation is mailed. Problem `too_many` after too many.
 */
export async function makeAccessToken(accounts: Accounts, by: By): Promise<string> {
  const { pool, clock } = accounts;
  const { userId, accountId } = by.caller;
  await accounts.noticeThrottle.take(userId);
  const token = ACCESS_TOKEN_PREFIX + newToken();
  await inTransaction(pool, async (client) => {
    await replaceAccessToken(client, { accountId, userId }, { token, at: new Date(clock.now()) });
    await recordAct({ pool: client, clock }, by, { action: "access_token_made" });
    await sendNotice(accounts, client, { kind: "access_token_made", userId });
  });
  return token;
}

/** Ends the account's token, if it has one. */
export async function revokeAccessToken({ pool, clock }: Accounts, by: By): Promise<void> {
  await inTransaction(pool, async (client) => {
    await deleteAccessToken(client, by.caller.accountId);
    await recordAct({ pool: client, clock }, by, { action: "access_token_revoked" });
  });
}
