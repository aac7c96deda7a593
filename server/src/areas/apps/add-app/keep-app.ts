import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseOther } from "../../../platform/http/revision.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { refuseAboveLimit } from "../settings/account-limits.ts";
import { setFlags } from "../settings/settings-store.ts";
import { hasSameApp, isKnown, lockAccount, setStoreId } from "../editing-store.ts";
import { type App, createApp, ownApp } from "../store.ts";
import type { Draft } from "./add-rules.ts";
import type { SampleApps } from "./sample-apps.ts";

/**
 * Adds an app to the caller's account, replacing its sample apps, or finds it as an earlier call with the same key has added it.
 * Problem `conflict` if the account already has it, also for one of two concurrent calls, or has added another with the key.
 */
export function keepApp(
  { pool, clock, demo, sampleApps }: { pool: Pool; clock: Clock; demo: boolean; sampleApps: SampleApps },
  by: By,
  { key, ...draft }: Draft & { key?: string | undefined; url?: string; logoUrl?: string; storeId?: string },
): Promise<App> {
  const { accountId } = by.caller;
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    if (key !== undefined && (await isKnown(client, key))) {
      const before = await ownApp(client, allAppsOf(accountId), key);
      const isSame = before.name === draft.name && before.platform === draft.platform;
      refuseOther("app", isSame && before.bundleId === draft.bundleId);
      return before;
    }
    if (await hasSameApp(client, accountId, draft)) throw new Problem("conflict", "This app is already in your list");
    await sampleApps.remove(client, accountId);
    const { flags, storeId, ...app } = draft;
    // Demo apps are not moderated, so ads serve at once.
    const moderation = demo ? "live" : "check";
    const added = await createApp(client, accountId, {
      ...(key !== undefined && { uuid: key }),
      ...app,
      inDev: storeId === undefined,
      moderation,
    });
    await setFlags(client, added.id, flags);
    if (storeId !== undefined) await setStoreId(client, added.id, storeId);
    await refuseAboveLimit(client, accountId, { what: "apps", grew: true });
    await record(client, clock, by, added);
    return added;
  });
}

async function record(client: PoolClient, clock: Clock, by: By, { uuid, platform, inDev }: App): Promise<void> {
  await recordAct({ pool: client, clock }, by, {
    action: "app_added",
    subject: uuid,
    details: { platform, in_dev: inDev },
  });
}
