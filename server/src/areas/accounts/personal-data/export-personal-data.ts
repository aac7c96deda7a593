import { DAY_MS } from "@millrace/units";
import { z } from "zod";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { sendNotice } from "../notices/send-notice.ts";
import { lockUser } from "../people-store.ts";
import { exportState, failExport, findExport, findUngathered, finishExport, insertExport } from "./export-store.ts";
import { gatherPersonalData } from "./gather-personal-data.ts";

const QUEUE = "gather-personal-data";
const KEPT_DAYS = 7;

/**
 * Begins an export, replacing the previous one. Problem `conflict` while one is running, `too_many` after too many
 * requests.
 */
export async function askForExport(accounts: Accounts, by: By): Promise<void> {
  const { pool, clock, jobs } = accounts;
  const { userId, accountId } = by.caller;
  const now = clock.now();
  await accounts.noticeThrottle.take(userId);
  await inTransaction(pool, async (client) => {
    // Locks the user's other export requests.
    if (!(await lockUser(client, userId))) throw notSignedIn();
    const before = await findExport(client, { userId, now: new Date(now) });
    if (before && exportState(before, now) === "working")
      throw new Problem("conflict", "Your data is already being prepared");
    const expiresAt = new Date(now + KEPT_DAYS * DAY_MS);
    const uuid = await insertExport(client, { userId, accountId, createdAt: new Date(now), expiresAt });
    await recordAct({ pool: client, clock }, by, { action: "personal_data_asked", subject: uuid });
    await jobs.send(QUEUE, { uuid }, { client });
  });
}

/** The job that gathers an export and mails its owner. Skips users deleted in the meantime. */
export function defineExports(accounts: Accounts): void {
  const { pool, clock, jobs } = accounts;
  jobs.define(QUEUE, z.object({ uuid: z.uuid() }), async ({ uuid }) => {
    const about = await findUngathered(pool, uuid);
    if (!about) return;
    try {
      const content = await gatherPersonalData(accounts, { ...about, at: new Date(clock.now()) });
      const expiresAt = new Date(clock.now() + KEPT_DAYS * DAY_MS);
      await inTransaction(pool, async (client) => {
        if (await finishExport(client, uuid, content, expiresAt))
          await sendNotice(accounts, client, { kind: "export_ready", userId: about.userId });
      });
    } catch (error) {
      // Reported as failed for now; a retry may still succeed.
      await failExport(pool, uuid);
      throw error;
    }
  });
}
