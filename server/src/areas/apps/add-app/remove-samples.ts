import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { lockAccount } from "../editing-store.ts";
import type { AddDeps } from "./add-app.ts";

/** Removes the account's sample apps; their figures follow within seconds. Problem `conflict` if there are none. */
export async function removeSamples(
  { pool, clock, sampleApps }: Pick<AddDeps, "pool" | "clock" | "sampleApps">,
  by: By,
): Promise<{ redirect_to: string }> {
  const { accountId } = by.caller;
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const removed = await sampleApps.remove(client, accountId);
    if (removed === 0) throw new Problem("conflict", "This account has no sample apps");
    await recordAct({ pool: client, clock }, by, { action: "sample_apps_removed" });
  });
  return { redirect_to: "/apps" };
}
