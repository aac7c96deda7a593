import { OtpCode, SOCIAL_ERRORS, type SocialService } from "@millrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type CodeInput, takeCode } from "../authenticator/take-code.ts";
import { blocked } from "../blocked.ts";
import type { Accounts } from "../deps.ts";
import { findHomeAccount, findUserById } from "../people-store.ts";
import { openSession } from "../sessions/open-session.ts";
import { socialBinding } from "./social-binding.ts";
import { linkIdentity } from "./link-identity.ts";
import { findPending, takePending } from "./pending-request.ts";

/**
 * The code step of a social sign-in. Problems `unprocessable` with `reqid_expired` (begin again) or `wrong_otp_code`
 * (try again), and `too_many` after five tries.
 */
export async function enterSocialCode(
  accounts: Accounts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { service, reqid, ...input }: CodeInput & { service: SocialService; reqid: string },
): Promise<{ userUuid: string; redirectTo: string }> {
  const key = { reqid, step: "code", service } as const;
  const expired = () => new Problem("unprocessable", "reqid_expired");
  const pending = await findPending(accounts, request, key);
  if (!pending) throw expired();
  const { userId, subject, email, redirectTo } = pending.payload;
  const [user, home] = await Promise.all([findUserById(accounts.pool, userId), findHomeAccount(accounts.pool, userId)]);
  if (!user || !home) throw expired();
  if (home.blocked) throw blocked();
  // A code in the query has no form yet.
  const isCode = input.otp_code === undefined || OtpCode.safeParse(input.otp_code).success;
  if (!isCode || !(await takeCode(accounts, userId, input, { address: request.ip })))
    throw new Problem("unprocessable", "wrong_otp_code");
  // If a code and a recovery code arrive at once, the first one wins.
  if (!(await takePending(accounts, request, key))) throw expired();
  const error = await inTransaction(accounts.pool, (client) =>
    linkIdentity(accounts, client, { service, subject, userId, email }, { request, accountId: home.accountId }),
  );
  if (error !== null) throw new Problem("conflict", SOCIAL_ERRORS[error]);
  await openSession(
    accounts,
    { request, reply },
    { userId, accountId: home.accountId, codeGiven: user.hasAuthenticator },
  );
  socialBinding.unbind(request, reply);
  return { userUuid: user.uuid, redirectTo };
}
