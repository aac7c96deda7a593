import { Problem } from "../../../platform/http/problem.ts";
import { recordAct } from "../../audit/index.ts";
import type { By } from "../add-app/keep-app.ts";
import type { AppsDeps } from "../deps.ts";
import { setMuted } from "../settings/settings-store.ts";
import { findApp } from "../store.ts";

/** Lets the app's video ads begin without sound, or with it. Problem `invalid` where nobody could turn the sound on. */
export async function muteApp(
  { pool, clock }: Pick<AppsDeps, "pool" | "clock">,
  by: By,
  { uuid, muted }: { uuid: string; muted: boolean },
): Promise<{ muted: boolean }> {
  const app = await findApp(pool, by.caller.accountId, uuid);
  if (!app) throw new Problem("not_found", "There is no such app");
  if (muted && app.platform !== "android" && app.platform !== "ios") {
    throw new Problem("invalid", { mute: "Only Android and iOS apps can be muted" });
  }
  await setMuted(pool, app.id, muted);
  await recordAct({ pool, clock }, by, { action: "app_muted", subject: app.uuid, details: { muted } });
  return { muted };
}
