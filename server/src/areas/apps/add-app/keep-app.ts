import { isDeepStrictEqual } from "node:util";
import type { AppSettings } from "@millrace/contract";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { allAppsOf } from "../../../platform/http/caller.ts";
import { Problem } from "../../../platform/http/problem.ts";
import { refuseOtherContent, uuidOfKey } from "../../../platform/http/once-by-key.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { refuseAboveLimit } from "../settings/account-limits.ts";
import { findSettings, setFlags } from "../settings/settings-store.ts";
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
    const uuid = uuidOfKey(accountId, "app", key);
    if (uuid !== undefined && (await isKnown(client, uuid))) {
      const before = await ownApp(client, allAppsOf(accountId), uuid);
      refuseOtherContent("app", isAsSent(before, await findSettings(client, before.id), draft));
      return before;
    }
    if (await hasSameApp(client, accountId, draft)) throw new Problem("conflict", "This app is already in your list");
    await sampleApps.remove(client, accountId);
    const { flags, storeId, ...app } = draft;
    // Demo apps are not moderated, so ads serve at once.
    const moderation = demo ? "live" : "check";
    const added = await createApp(client, accountId, {
      ...(uuid !== undefined && { uuid }),
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

/** Whether an app was added with this content; it may have been muted since. */
function isAsSent(added: App, { flags }: Pick<AppSettings, "flags">, draft: Draft & { url?: string }): boolean {
  const contentOf = (
    { name, platform, bundleId }: Draft | App,
    url: string | null | undefined,
    set: AppSettings["flags"],
  ) => ({
    ...set,
    muted: undefined,
    name,
    platform,
    bundleId,
    url: url ?? null,
  });
  return isDeepStrictEqual(contentOf(added, added.url, flags), contentOf(draft, draft.url, draft.flags));
}

async function record(client: PoolClient, clock: Clock, by: By, { uuid, platform, inDev }: App): Promise<void> {
  await recordAct({ pool: client, clock }, by, {
    action: "app_added",
    subject: uuid,
    details: { platform, in_dev: inDev },
  });
}
