import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import type { SampleApps } from "../add-app/sample-apps.ts";
import * as store from "../editing-store.ts";
import { ownApp } from "../store.ts";

/** Takes an app out of service; the row's change notification informs the exchange. Its earnings are kept, except those of a sample. */
export async function deleteApp(
  { pool, clock, sampleApps }: Pick<AppsDeps, "pool" | "clock"> & { sampleApps: SampleApps },
  by: By,
  uuid: string,
): Promise<{ redirect_to: string }> {
  await inTransaction(pool, async (client) => {
    const app = await ownApp(client, by.caller, uuid);
    // Another call may have deleted it meanwhile.
    const isGone = await store.deleteApp(client, app.accountId, { uuid, at: new Date(clock.now()) });
    if (!isGone) throw new Problem("not_found", "There is no such app");
    await sampleApps.forget(client, app);
    await recordAct({ pool: client, clock }, by, { action: "app_deleted", subject: uuid.toLowerCase() });
  });
  return { redirect_to: "/apps" };
}
