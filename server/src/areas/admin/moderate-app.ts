import { type Body, TEXTS, type moderateApp as call } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import type { Admin } from "./deps.ts";

const STATES = { approve: "live", ban: "banned" } as const;

/**
 * Approves or bans an app, whatever the earlier decision, and mails its owner. The exchange follows at once, by the
 * row's change notification. Problem `invalid` for a ban without a reason, `not_found`, and `conflict` if this is
 * already the decision, or if the app is no longer as it was `seen`.
 */
export async function moderateApp(
  deps: Admin,
  by: By,
  { uuid, decision, reason, seen }: { uuid: string } & Body<typeof call>,
): Promise<void> {
  if (decision === "ban" && reason === "") throw new Problem("invalid", { reason: TEXTS.required });
  const state = STATES[decision];
  const { pool, clock } = deps;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number; account_id: number; moderation: string; bundle_id: string }>(
      "SELECT id, account_id, moderation, bundle_id FROM apps WHERE uuid = $1 AND deleted_at IS NULL FOR UPDATE",
      [uuid],
    );
    const [app] = rows;
    if (!app) throw new Problem("not_found", "There is no such app");
    if (app.moderation === state) throw new Problem("conflict", `This app is already ${state}`);
    if (seen !== undefined && seen.bundle_id !== app.bundle_id)
      throw new Problem("conflict", "Its owner has changed the bundle ID of this app. Look at it again");
    if (seen !== undefined && seen.moderation !== app.moderation)
      throw new Problem("conflict", "Another admin has decided on this app. Look at it again");
    await client.query("UPDATE apps SET moderation = $2, moderation_reason = $3, moderated_at = $4 WHERE id = $1", [
      app.id,
      state,
      reason === "" ? null : reason,
      new Date(clock.now()),
    ]);
    const action = decision === "ban" ? "app_banned" : "app_approved";
    const details = { before: app.moderation, reason };
    await recordAct({ pool: client, clock }, by, { action, subject: uuid, accountId: app.account_id, details });
    await deps.tellOwner(client, { what: state, accountId: app.account_id, appId: app.id });
  });
}
