import { DAY_MS } from "@millrace/units";
import { z } from "zod";
import { inTransaction } from "../../platform/postgres/in-transaction.ts";
import { adminMails } from "../payments/index.ts";
import type { AdminDeps } from "./deps.ts";
import { countModeration } from "./platform/platform-store.ts";

const LOOK = "look-at-moderation";
const LOOK_EVERY_SECONDS = 600;

type Deps = Pick<AdminDeps, "pool" | "clock" | "mailer" | "jobs" | "publicUrl" | "operatorName">;

/**
 * Mails admins when apps or creatives begin to wait for moderation, because they get no ads and are not shown until then, and
 * again after each day in which some still wait.
 */
export function defineModerationMails(deps: Deps): void {
  const { pool, clock, jobs } = deps;
  const send = adminMails(deps, {
    name: "moderation-mail",
    about: z.object({}),
    async write() {
      const { apps, creatives } = await countModeration(pool);
      const count = apps.count + creatives.count;
      if (count === 0) return null;
      const what = [counted(apps.count, "app"), counted(creatives.count, "creative")].filter((text) => text !== "");
      return {
        title: `${what.join(" and ")} ${count === 1 ? "waits" : "wait"} for moderation`,
        lines: ["New apps get no ads until they are approved, and new or edited creatives are not shown."],
      };
    },
    button: { label: "See what waits", path: "/admin" },
  });
  jobs.define(LOOK, z.object({}), async () => {
    const { apps, creatives } = await countModeration(pool);
    if (apps.count + creatives.count === 0) {
      await pool.query("DELETE FROM moderation_alerts");
      return;
    }
    const at = new Date(clock.now());
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO moderation_alerts (told_at) VALUES ($1)
         ON CONFLICT (is_only) DO UPDATE SET told_at = $1 WHERE moderation_alerts.told_at <= $2`,
        [at, new Date(at.getTime() - DAY_MS)],
      );
      if (rowCount === 1) await send({}, client);
    });
  });
  jobs.repeat(LOOK, {}, LOOK_EVERY_SECONDS);
}

const counted = (count: number, what: string): string =>
  count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
