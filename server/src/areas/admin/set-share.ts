import type { RevenueShares, setShare as call } from "@millrace/contract";
import type { z } from "zod";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import { readShares, setRevenueShare } from "../payments/index.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";

/**
 * Sets a publisher's share from a day after today on, mails its owner, and returns all shares. Repeating it does nothing.
 * Problem `not_found` for a user who owns no account, `unprocessable` for an account without apps and a day that has begun.
 */
export async function setShare(
  deps: Admin,
  by: By,
  { uuid, share_ppm: sharePpm, from, reason }: { uuid: string } & z.output<typeof call.body>,
): Promise<RevenueShares> {
  const { pool, clock, revenueSharePpm } = deps;
  const { accountId, canApps } = await findOwner(pool, uuid);
  if (!canApps) throw new Problem("unprocessable", "This account has no apps to earn money with");
  await inTransaction(pool, async (client) => {
    const at = new Date(clock.now());
    const share = { accountId, fromDay: from, sharePpm, reason, at };
    const set = await setRevenueShare(client, share, revenueSharePpm);
    if (!set) return;
    const details = { from, share_ppm: sharePpm, former_ppm: set.formerPpm, reason };
    await recordAct({ pool: client, clock }, by, { action: "share_set", subject: uuid, accountId, details });
    await deps.tellOwner(client, { what: "share_set", accountId, from, sharePpm, formerPpm: set.formerPpm, reason });
  });
  return readShares(deps, accountId);
}
