import { SOCIAL_LABELS, type SocialService } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import type { Caller } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";
import { lockUser } from "../people-store.ts";
import { type LinkRefusal, deleteIdentity, findServices, insertIdentity, refusalIn } from "./identity-store.ts";

/**
 * Links an identity to a user unless it is linked already, records the act, and mails the user unless their account is
 * new. Returns why it cannot be linked, or null.
 */
export async function linkIdentity(
  accounts: Pick<Accounts, "clock" | "jobs">,
  client: PoolClient,
  link: { service: SocialService; subject: string; userId: number; email: string | null },
  by: { caller?: Caller; request: FastifyRequest; accountId: number; isNew?: boolean },
): Promise<LinkRefusal | null> {
  const { clock } = accounts;
  const outcome = await insertIdentity(client, { ...link, at: new Date(clock.now()) });
  if (outcome !== "linked") return refusalIn(outcome);
  const { service, userId } = link;
  const act = { action: "social_linked", subject: service, accountId: by.accountId, userId };
  await recordAct({ pool: client, clock }, by, act);
  if (by.isNew !== true) await sendNotice(accounts, client, { kind: "social_linked", userId });
  return null;
}

/**
 * Unlinks an identity provider. Problem `not_found` if it is not linked, `conflict` if the user would be left with no
 * password and no other identity provider on offer.
 */
export async function unlinkIdentity(
  accounts: Accounts,
  { caller, request }: By,
  service: SocialService,
): Promise<void> {
  const { pool, clock, settings } = accounts;
  await inTransaction(pool, async (client) => {
    // Serialized by the user's lock: a second removal sees the first one's result.
    const user = await lockUser(client, caller.userId);
    const hasPassword = user !== undefined && user.passwordHash !== null;
    const services = await findServices(client, caller.userId);
    const label = SOCIAL_LABELS[service];
    if (!services.includes(service)) throw new Problem("not_found", `No ${label} account is linked`);
    const others = services.filter((other) => other !== service && settings.social[other] !== undefined);
    if (!hasPassword && others.length === 0) {
      throw new Problem("conflict", `${label} is your only way to log in. Please set a password first`);
    }
    await deleteIdentity(client, service, caller.userId);
    await recordAct({ pool: client, clock }, { caller, request }, { action: "social_unlinked", subject: service });
    await sendNotice(accounts, client, { kind: "social_unlinked", userId: caller.userId });
  });
}
