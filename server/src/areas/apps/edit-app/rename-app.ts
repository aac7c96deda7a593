import type { Body, Reply, renameApp as call } from "@millrace/contract";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { bundleFault } from "../add-app/add-rules.ts";
import type { AppsDeps } from "../deps.ts";
import { awaitModeration, hasSameApp, lockAccount, setNames } from "../editing-store.ts";
import { sdkStatus } from "../sdk-status.ts";
import { type App, ownApp } from "../store.ts";

const NEW_BUNDLE_IS_MODERATED =
  "The bundle ID has changed, so a moderator checks the app again. Until then it gets no ads.";

type Deps = Pick<AppsDeps, "pool" | "clock" | "demo" | "sdk">;

/**
 * Renames an app and, while it runs nowhere, changes its bundle id; without a name or a bundle id it keeps its own. An app
 * with a new bundle id awaits moderation again, since requests are matched to apps by it. Problem `invalid` names the wrong field,
 * `conflict` if another app has the bundle id.
 */
export function renameApp(
  { pool, clock, demo, sdk }: Deps,
  by: By,
  uuid: string,
  body: Body<typeof call>,
): Promise<Reply<typeof call>> {
  if (body.uuid.toLowerCase() !== uuid.toLowerCase()) {
    throw new Problem("invalid", { uuid: "The UUID does not match the address" });
  }
  const { accountId } = by.caller;
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const app = await ownApp(client, by.caller, uuid);
    const name = body.app_name ?? app.name;
    const bundleId = body.app_bundle_id === null || body.app_bundle_id === "" ? app.bundleId : body.app_bundle_id;
    const isNewBundle = bundleId !== app.bundleId;
    // Demo apps are not moderated.
    const awaitsModeration = isNewBundle && !demo;
    if (isNewBundle) {
      refuseBundle(app, bundleId, sdkStatus(app, sdk.latest, clock.now()).sdk_status);
      if (await hasSameApp(client, accountId, { platform: app.platform, bundleId, except: app.id })) {
        throw new Problem("conflict", { app_bundle_id: "Another app in your account has this bundle ID" });
      }
    }
    await setNames(client, app.id, { name, bundleId });
    if (awaitsModeration) await awaitModeration(client, app.id, new Date(clock.now()));
    await recordAct({ pool: client, clock }, by, {
      action: "app_renamed",
      subject: app.uuid,
      details: { name_changed: name !== app.name, bundle_id_changed: isNewBundle },
    });
    return { name, bundle_id: bundleId, ...(awaitsModeration && { message: NEW_BUNDLE_IS_MODERATED }) };
  });
}

function refuseBundle(app: App, bundleId: string, status: ReturnType<typeof sdkStatus>["sdk_status"]): void {
  if (!app.inDev || (status !== "off" && status !== "download")) {
    throw new Problem("invalid", {
      app_bundle_id: "The bundle ID can only change while the app is in development and its SDK is off",
    });
  }
  const fault = bundleFault(app.platform, bundleId)["bundle_id"];
  if (fault !== undefined) throw new Problem("invalid", { app_bundle_id: fault });
}
