import { TEXTS } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../audit/index.ts";
import type { Admin } from "./deps.ts";

const STATES = { approve: "live", ban: "banned" } as const;

/**
 * Approves or bans an app, whatever the earlier decision, and mails its owner. The exchange follows at once, by the
 * row's change notification. Problem `invalid` for a ban without a reason, `not_found`, and `conflict` if this is
 * already the decision.
 */
export async function moderateApp(
  deps: Admin,
  by: By,
  { uuid, decision, reason }: { uuid: string; decision: keyof typeof STATES; reason: string },
): Promise<void> {
  if (decision === "ban" && reason === "") throw new Problem("invalid", { reason: TEXTS.required });
  const state = STATES[decision];
  const { pool, clock } = deps;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number; account_id: number; moderation: string }>(
      "SELECT id, account_id, moderation FROM apps WHERE uuid = $1 AND deleted_at IS NULL FOR UPDATE",
      [uuid],
    );
    const [app] = rows;
    if (!app) throw new Problem("not_found", "There is no such app");
    if (app.moderation === state) throw new Problem("conflict", `This app is already ${state}`);
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
