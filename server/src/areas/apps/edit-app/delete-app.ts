import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import * as store from "../editing-store.ts";

/** Takes an app out of service; the row's change notification informs the exchange. Its earnings are kept. */
export async function deleteApp(
  { pool, clock }: Pick<AppsDeps, "pool" | "clock">,
  by: By,
  uuid: string,
): Promise<{ redirect_to: string }> {
  await inTransaction(pool, async (client) => {
    const isGone = await store.deleteApp(client, by.caller.accountId, { uuid, at: new Date(clock.now()) });
    if (!isGone) throw new Problem("not_found", "There is no such app");
    await recordAct({ pool: client, clock }, by, { action: "app_deleted", subject: uuid.toLowerCase() });
  });
  return { redirect_to: "/apps" };
}
