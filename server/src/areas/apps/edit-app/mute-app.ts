import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { AppsDeps } from "../deps.ts";
import { flagFaults } from "../settings/flag-faults.ts";
import { setMuted } from "../settings/settings-store.ts";
import { ownApp } from "../store.ts";

/** Sets whether the app's video ads start muted. Problem `invalid` on platforms without this flag. */
export function muteApp(
  { pool, clock }: Pick<AppsDeps, "pool" | "clock">,
  by: By,
  { uuid, muted }: { uuid: string; muted: boolean },
): Promise<{ muted: boolean }> {
  return inTransaction(pool, async (client) => {
    const app = await ownApp(client, by.caller, uuid);
    const fault = flagFaults(app.platform, { muted }).muted;
    if (fault !== undefined) throw new Problem("invalid", { mute: fault });
    await setMuted(client, app.id, muted);
    await recordAct({ pool: client, clock }, by, { action: "app_muted", subject: app.uuid, details: { muted } });
    return { muted };
  });
}
